// What the kernels in this folder are run with: compiled, loaded on a simulated GPU, buffers in and out.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include <random>
#include <string>
#include <vector>

#include "device/compiler/compiler.hpp"
#include "device/device.hpp"
#include "device/platform.hpp"

namespace warpbook::device {

/// One .cu file of this folder on a simulated H200.
class KernelBench {
 public:
  /// `fmad` false: no multiplication is fused with an addition, as in plain C++.
  explicit KernelBench(const std::string& file, bool fmad = true, int architecture = 90)
      : device_(make_simulated_device(*find_gpu("h200"))) {
    static Compiler compiler;
    const std::string folder = std::string(WARPBOOK_SOURCE_DIR) + "/tests/device/kernels/";
    auto source = read_file(folder + file, 1u << 20);
    REQUIRE(source);
    CompileRequest request;
    request.name = file;
    request.source = std::move(*source);
    request.fmad = fmad;
    request.architecture = architecture;
    auto program = compiler.compile(request);
    if (!program) FAIL(program.error().error.english());
    auto module = device_->load(*program);
    if (!module) FAIL(module.error().english());
    module_ = std::move(*module);
  }

  template <class T>
  Pointer put(const std::string& name, const std::vector<T>& values) {
    const Pointer address = space<T>(name, values.size());
    const auto done = device_->copy_in(address, std::as_bytes(std::span(values))).wait();
    REQUIRE(done);
    return address;
  }
  template <class T>
  Pointer zeros(const std::string& name, std::size_t count) {
    return put(name, std::vector<T>(count));
  }
  /// Nobody has written it.
  template <class T>
  Pointer space(const std::string& name, std::size_t count) {
    const auto address = device_->allocate(name, element_type_of<T>::value, count);
    REQUIRE(address);
    return *address;
  }
  template <class T>
  std::vector<T> get(Pointer address, std::size_t count) {
    std::vector<T> values(count);
    const auto done = device_->copy_out(std::as_writable_bytes(std::span(values)), address).wait();
    REQUIRE(done);
    return values;
  }

  /// Whether run() asks racecheck too, which must then find nothing.
  bool racecheck = false;

  /// A __device__ or __constant__ variable's address.
  Pointer symbol(const std::string& name) {
    const auto found = device_->global(*module_, name);
    REQUIRE(found);
    return found->address;
  }
  /// For what has no call of its own here: arrays, textures, surfaces.
  Device& device() { return *device_; }

  struct Shape {
    Dim3 grid, block;
    std::uint32_t shared = 0;
    bool cooperative = false;
    std::uint32_t host_threads = 0;
    std::uint64_t seed = 0;
    Observation observe = {};
    Dim3 cluster = {};
  };
  /// Runs a kernel that must end well and raise no finding.
  std::shared_ptr<const LaunchRecord> run(const std::string& kernel, const Shape& shape,
                                          std::vector<Argument> arguments) {
    Shape asked = shape;
    asked.observe.racecheck |= racecheck;
    auto record = run_anyhow(kernel, asked, std::move(arguments));
    if (record->error) FAIL(kernel << ": " << record->error->english());
    if (!record->findings.empty())
      UNSCOPED_INFO(kernel << ": " << record->findings[0].error.english());
    CHECK(record->findings_total == 0);
    return record;
  }
  /// The same with every checker on; one worker, as racecheck asks.
  std::shared_ptr<const LaunchRecord> run_checked(const std::string& kernel, Shape shape,
                                                  std::vector<Argument> arguments) {
    static_cast<Checks&>(shape.observe) = kLessonChecks;
    return run(kernel, shape, std::move(arguments));
  }
  /// Runs a kernel that may fail while it runs.
  std::shared_ptr<const LaunchRecord> run_anyhow(const std::string& kernel, const Shape& shape,
                                                 std::vector<Argument> arguments) {
    Launch launch;
    launch.module = module_;
    launch.kernel = kernel;
    launch.grid = shape.grid;
    launch.block = shape.block;
    launch.dynamic_shared = shape.shared;
    launch.cooperative = shape.cooperative;
    launch.cluster = shape.cluster;
    launch.host_threads = shape.host_threads;
    launch.seed = shape.seed;
    launch.observe = shape.observe;
    launch.arguments = std::move(arguments);
    launch.budget.seconds = 60;
    auto record = device_->launch(std::move(launch)).wait();
    if (!record) FAIL(kernel << ": " << record.error().english());
    return *record;
  }

 private:
  std::unique_ptr<Device> device_;
  std::shared_ptr<const Module> module_;
};

/// The same numbers every time.
template <class T>
std::vector<T> numbers(std::size_t count, T least, T most, std::uint32_t seed = 1) {
  std::mt19937 engine(seed);
  std::vector<T> values(count);
  for (T& v : values) {
    if constexpr (std::is_floating_point_v<T>) {
      v = least + (most - least) * static_cast<T>(engine() >> 8) / static_cast<T>(1 << 24);
    } else {
      v = static_cast<T>(least +
                         static_cast<T>(engine() % static_cast<std::uint64_t>(most - least + 1)));
    }
  }
  return values;
}

/// Where two arrays first differ, or -1: quiet, whatever their length.
template <class T>
std::ptrdiff_t first_difference(const std::vector<T>& got, const std::vector<T>& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!(got[i] == expected[i])) {
      UNSCOPED_INFO("[" << i << "] is " << +got[i] << ", not " << +expected[i]);
      return static_cast<std::ptrdiff_t>(i);
    }
  }
  return -1;
}

}  // namespace warpbook::device
