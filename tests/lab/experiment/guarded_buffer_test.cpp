// Canaries matter where a device does not check accesses: here a simulated one that says so of itself.
#include "lab/experiment/guarded_buffer.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::guarded_buffer_test {

using namespace warpbook;
using namespace warpbook::lab;
using namespace warpbook::device;

namespace {

class Unchecked : public Device {
 public:
  const Properties& properties() const override { return real_->properties(); }
  bool supports(Feature feature) const override {
    return feature != Feature::findings && real_->supports(feature);
  }
  Expected<std::shared_ptr<const Module>> load(std::shared_ptr<const Program> p) override {
    return real_->load(std::move(p));
  }
  Expected<AllocationInfo> global(const Module& m, std::string_view name) override {
    return real_->global(m, name);
  }
  Expected<Pointer> allocate(std::string name, ElementType type, std::uint64_t count) override {
    return real_->allocate(std::move(name), type, count);
  }
  Expected<Done> release(Pointer address) override { return real_->release(address); }
  Expected<std::shared_ptr<std::byte[]>> allocate_pinned(std::uint64_t bytes) override {
    return real_->allocate_pinned(bytes);
  }
  CopyTicket copy_in(Pointer to, std::span<const std::byte> from, Stream s) override {
    return real_->copy_in(to, from, s);
  }
  CopyTicket copy_out(std::span<std::byte> to, Pointer from, Stream s) override {
    return real_->copy_out(to, from, s);
  }
  CopyTicket copy(Pointer to, Pointer from, std::uint64_t bytes, Stream s) override {
    return real_->copy(to, from, bytes, s);
  }
  CopyTicket copy_peer(Device& d, Pointer to, Pointer from, std::uint64_t bytes,
                       Stream s) override {
    return real_->copy_peer(d, to, from, bytes, s);
  }
  CopyTicket fill(Pointer to, std::byte value, std::uint64_t bytes, Stream s) override {
    return real_->fill(to, value, bytes, s);
  }
  LaunchTicket launch(Launch l, Stream s) override { return real_->launch(std::move(l), s); }
  Expected<Stream> create_stream() override { return real_->create_stream(); }
  Expected<Done> destroy(Stream s) override { return real_->destroy(s); }
  Expected<Event> record_event(Stream s) override { return real_->record_event(s); }
  Expected<Done> wait(Stream s, Event e) override { return real_->wait(s, e); }
  Expected<Done> synchronise(Stream s) override { return real_->synchronise(s); }
  Expected<Done> synchronise() override { return real_->synchronise(); }
  Expected<Texture> create_texture(const TextureDescription& d) override {
    return real_->create_texture(d);
  }
  Expected<Surface> create_surface(Array a, std::uint32_t level) override {
    return real_->create_surface(a, level);
  }
  Expected<Array> create_array(const ArrayDescription& d) override {
    return real_->create_array(d);
  }
  Expected<Done> destroy(Array a) override { return real_->destroy(a); }
  Expected<Done> destroy(Texture t) override { return real_->destroy(t); }
  Expected<Done> destroy(Surface t) override { return real_->destroy(t); }
  CopyTicket copy_in_array(Array to, std::span<const std::byte> from, ArrayRegion r,
                           Stream s) override {
    return real_->copy_in_array(to, from, r, s);
  }
  CopyTicket copy_out_array(std::span<std::byte> to, Array from, ArrayRegion r, Stream s) override {
    return real_->copy_out_array(to, from, r, s);
  }
  Expected<Occupancy> occupancy(const Module& m, std::string_view k, std::uint32_t threads,
                                std::uint32_t shared) override {
    return real_->occupancy(m, k, threads, shared);
  }
  std::vector<AllocationInfo> allocations() const override { return real_->allocations(); }
  std::vector<HostCall> host_calls() const override { return real_->host_calls(); }

 private:
  std::unique_ptr<Device> real_ = make_simulated_device(*find_gpu("h200"));
};

/// Stores 1 at element `index` of a buffer of three; what the canaries say afterwards.
std::optional<Error> after_store_at(int index) {
  const Inputs inputs;
  Lab::Context context;
  context.device = std::make_shared<Unchecked>();
  context.compiler = std::make_shared<Compiler>();
  context.inputs = &inputs;
  Lab lab(std::move(context));
  GuardedBuffer buffer(lab, "y", ElementType::i32, 3);
  Launch launch;
  launch.module =
      lab.compile_source("store.cu", "__global__ void store(int* y, int i) { y[i] = 1; }");
  launch.grid = launch.block = {1, 1, 1};
  launch.arguments = {Argument::pointer(buffer.address()), Argument::of(index)};
  lab.launch(std::move(launch));
  return buffer.damage("store");
}

}  // namespace

TEST_CASE("a buffer on a device that checks nothing stands between canaries") {
  for (const int inside : {0, 2}) CHECK_FALSE(after_store_at(inside).has_value());
  const auto behind = after_store_at(3);
  REQUIRE(behind.has_value());
  CHECK(behind->english().find("store wrote 4 bytes after y") == 0);
  const auto before = after_store_at(-1);
  REQUIRE(before.has_value());
  CHECK(before->english().find("store wrote 4 bytes before y") == 0);
}

TEST_CASE("a buffer of a device that checks every access stands alone, filled with NaN bytes") {
  const Inputs inputs;
  Lab::Context context;
  context.device = make_simulated_device(*find_gpu("h200"));
  context.inputs = &inputs;
  Lab lab(std::move(context));
  const GuardedBuffer buffer(lab, "y", ElementType::f32, 3);
  CHECK(buffer.copy_out() == std::vector<std::byte>(12, std::byte{0xff}));
  REQUIRE(lab.device().allocations().size() == 1);
  CHECK(lab.device().allocations()[0].bytes == 12);
  const GuardedBuffer empty(lab, "z", ElementType::f32, 0);
  CHECK(empty.address() == 0);
  CHECK(empty.copy_out().empty());
}

}  // namespace warpbook::tests::guarded_buffer_test
