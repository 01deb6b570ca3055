#include "tests/bench/simulator/small.hpp"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "device/simulator/run/launch.hpp"
#include "tests/bench/clock.hpp"
#include "tests/bench/simulator/plain.hpp"

namespace warpbook::bench {

using namespace device;

namespace {

constexpr int kRounds = 7, kLaunches = 200;

template <class T>
T value_of(Expected<T> result) {
  if (!result) throw std::runtime_error(result.error().english());
  return std::move(*result);
}

struct Machine {
  std::shared_ptr<GlobalMemory> memory = std::make_shared<GlobalMemory>(std::uint64_t{4} << 30);
  std::shared_ptr<const LoadedModule> load(const std::string& ptx) const {
    return value_of(load_module(value_of(ptx::parse(ptx, "bench.ptx")), *find_gpu("h200"), memory));
  }
};

/// 256 elements: one block of vector_add.
class OneBlock {
 public:
  explicit OneBlock(const std::string& ptx) {
    request_.module = machine_.load(ptx);
    request_.kernel = "vector_add";
    for (const KernelInfo& k : request_.module->kernels()) request_.kernel = k.mangled;
    request_.block = {256, 1, 1};
    request_.observe.initcheck = false;
    request_.observe.trace_accesses = 0;
    request_.host_threads = 1;
    request_.parameters.resize(28);
    for (std::size_t i = 0; i < 3; ++i) {
      const Pointer p = value_of(machine_.memory->allocate("x", ElementType::f32, 1024));
      std::memcpy(request_.parameters.data() + 8 * i, &p, sizeof p);
    }
    const std::int32_t n = 256;
    std::memcpy(request_.parameters.data() + 24, &n, sizeof n);
  }
  void run() {
    const auto record = value_of(device::run(request_));
    if (record.error) throw std::runtime_error(record.error->english());
  }

 private:
  Machine machine_;
  RunRequest request_;
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// The text of the program's only kernel, from its directive to its closing brace.
std::string kernel_in(const std::string& ptx) {
  const std::size_t begin = ptx.find(".visible .entry");
  return ptx.substr(begin, ptx.find("\n}\n", begin) + 3 - begin);
}

}  // namespace

Latency measure_latency(Device& device, const Program& vector_add) {
  OneBlock one(vector_add.ptx);
  Launch launch;
  launch.module = value_of(device.load(std::make_shared<Program>(vector_add)));
  launch.grid = {1, 1, 1};
  launch.block = {256, 1, 1};
  launch.observe.initcheck = false;
  launch.observe.trace_accesses = 0;
  std::vector<Buffer> buffers;
  for (const char* name : {"a", "b", "c"}) {
    const Pointer p = value_of(device.allocate(name, ElementType::f32, 256));
    buffers.emplace_back(device, AllocationInfo{name, p, 1024, ElementType::f32});
    value_of(device.fill(p, std::byte{0}, 1024).wait());
    launch.arguments.push_back(Argument::pointer(p));
  }
  launch.arguments.push_back(Argument::of(std::int32_t{256}));
  Best in_machine, through_device;
  for (int round = 0; round < kRounds; ++round) {
    in_machine.take(seconds_of([&] {
      for (int i = 0; i < kLaunches; ++i) one.run();
    }));
    through_device.take(seconds_of([&] {
      for (int i = 0; i < kLaunches; ++i) (void)value_of(device.launch(launch).wait());
    }));
  }
  return {in_machine.seconds() / kLaunches, through_device.seconds() / kLaunches};
}

LoadSpeed measure_load(const std::vector<std::shared_ptr<const Program>>& programs) {
  constexpr std::size_t kBytes = 8 << 20;
  const std::string& first = programs.front()->ptx;
  std::string text = first.substr(0, first.find(".visible .entry"));
  for (int copy = 0; text.size() < kBytes; ++copy) {
    for (const auto& program : programs) {
      std::string kernel = kernel_in(program->ptx);
      const std::string name = program->name.substr(0, program->name.find('.'));
      replace_all(kernel, name, fmt::format("{}_{}", name, copy));
      text += kernel;
    }
  }
  const Machine machine;
  Best loading, decoding;
  for (int round = 0; round < kRounds; ++round) {
    std::shared_ptr<const LoadedModule> image;
    const double loaded = seconds_of([&] { image = machine.load(text); });
    const double decoded = seconds_of([&] {
      for (const KernelInfo& k : image->kernels()) {
        if (const auto done = image->prepare(k.mangled); !done)
          throw std::runtime_error(done.error().english());
      }
    });
    loading.take(loaded);
    decoding.take(loaded + decoded);
  }
  const auto bytes = static_cast<double>(text.size());
  return {bytes / loading.seconds(), bytes / decoding.seconds()};
}

double measure_two_threads() {
  constexpr int kSide = 160;  // three matrices of it fit a core's own cache
  const auto work = [] {
    const std::vector<float> a(kSide * kSide, 1.0f), b(kSide * kSide, 2.0f);
    std::vector<float> c(kSide * kSide);
    for (int i = 0; i < 8; ++i) plain_sgemm(a.data(), b.data(), c.data(), kSide);
  };
  Best one, two;
  for (int round = 0; round < kRounds; ++round) {
    one.take(seconds_of(work));
    two.take(seconds_of([&] {
      std::thread other(work);
      work();
      other.join();
    }));
  }
  return 2 * one.seconds() / two.seconds();
}

}  // namespace warpbook::bench
