#include "training/parallel/cluster.hpp"

#include <stdexcept>

namespace warpbook::training {
namespace {

/// The GPU to be simulated: the Lab's, whose row of the GPU table it has also where it is a real one.
const device::Properties& gpu_of(lab::Lab& lab) {
  const device::Properties& own = lab.device().properties();
  if (own.simulated) return own;
  const device::Properties* row = device::find_gpu(own.name);
  return row ? *row : *device::find_gpu(device::kDefaultGpu);
}

}  // namespace

Cluster::Cluster(lab::Lab& lab, std::size_t devices) {
  for (std::size_t i = 0; i < devices; ++i) {
    auto own = lab.on(device::make_simulated_device(gpu_of(lab)));
    auto engine = std::make_unique<Engine>(*own);
    members_.push_back({std::move(own), std::move(engine)});
  }
}

void Cluster::copy(std::size_t sender, const Tensor& from, std::size_t receiver, const Tensor& to) {
  if (from.count() != to.count() || from.type != to.type || !from.contiguous() || !to.contiguous())
    throw std::logic_error("what is copied to " + to.name() + " has another size or strides");
  const auto bytes = static_cast<std::uint64_t>(from.count()) * device::size_of(from.type);
  if (bytes == 0) return;
  under_way_.push_back(members_[sender].lab->device().copy_peer(
      members_[receiver].lab->device(), to.address(), from.address(), bytes));
  Traffic& link = traffic_[{sender, receiver}];
  link.bytes += bytes;
  ++link.copies;
}

void Cluster::arrive() {
  const std::vector<device::CopyTicket> under_way = std::exchange(under_way_, {});
  // All are waited for first: what still runs may use tensors of whoever catches what is thrown below.
  for (const device::CopyTicket& ticket : under_way) (void)ticket.wait();
  for (const device::CopyTicket& ticket : under_way) lab::wait_for(ticket);
}

void Cluster::finish() {
  arrive();
  for (const Member& member : members_) member.engine->finish();
}

std::uint64_t bytes_sent(const TrafficMap& traffic, std::size_t device) {
  std::uint64_t bytes = 0;
  for (const auto& [link, sent] : traffic) {
    if (link.first == device) bytes += sent.bytes;
  }
  return bytes;
}

}  // namespace warpbook::training
