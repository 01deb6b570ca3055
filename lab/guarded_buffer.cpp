#include "lab/guarded_buffer.hpp"

#include <algorithm>

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kCanaryBytes =
    1024;  // a multiple of 256, which is how allocations are aligned
constexpr std::byte kCanary{0xc5};
constexpr std::byte kNaN{0xff};  // of every floating-point type

void wait_for(const device::CopyTicket& ticket) {
  if (const auto& done = ticket.wait(); !done) throw ExperimentFailed{done.error(), {}};
}

}  // namespace

GuardedBuffer::GuardedBuffer(Lab& lab, std::string name, device::ElementType type,
                             std::uint64_t count)
    : device_(&lab.device()), name_(std::move(name)), bytes_(count * device::size_of(type)) {
  if (bytes_ == 0) return;
  if (device_->supports(device::Feature::findings)) {
    whole_ = lab.allocate(name_, type, count);
    address_ = whole_.address();
  } else {
    canary_ = kCanaryBytes;
    whole_ = lab.allocate(name_, device::ElementType::u8, bytes_ + 2 * canary_);
    address_ = whole_.address() + canary_;
    lab.fill(whole_, kCanary);
  }
  wait_for(device_->fill(address_, kNaN, bytes_));
}

void GuardedBuffer::copy_in(std::span<const std::byte> bytes) {
  if (!bytes.empty()) wait_for(device_->copy_in(address_, bytes));
}

std::vector<std::byte> GuardedBuffer::copy_out() const {
  std::vector<std::byte> bytes(bytes_);
  if (bytes_ != 0) wait_for(device_->copy_out(bytes, address_));
  return bytes;
}

std::optional<device::Error> GuardedBuffer::damage(const std::string& kernel) const {
  if (canary_ == 0) return std::nullopt;
  std::vector<std::byte> all(bytes_ + 2 * canary_);
  wait_for(device_->copy_out(all, whole_.address()));
  const auto changed = [&](std::uint64_t from) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(from);
    return static_cast<std::uint64_t>(canary_) -
           static_cast<std::uint64_t>(
               std::count(begin, begin + static_cast<std::ptrdiff_t>(canary_), kCanary));
  };
  const std::uint64_t before = changed(0), after = changed(canary_ + bytes_);
  if (before + after == 0) return std::nullopt;
  return device::Error{device::ErrorCode::canary_damaged,
                       {{"kernel", kernel},
                        {"name", name_},
                        {"bytes", std::to_string(before + after)},
                        {"where", before == 0  ? "after"
                                  : after == 0 ? "before"
                                               : "before and after"}},
                       {}};
}

}  // namespace warpbook::lab
