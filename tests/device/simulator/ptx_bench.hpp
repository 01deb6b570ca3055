// Runs PTX on the simulator, for tests: buffers by name, arguments in order, one record.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device/simulator/run/launch.hpp"

namespace warpbook::device::tests {

inline Properties small_gpu() {
  Properties gpu;
  gpu.name = "test";
  gpu.compute_capability = 90;
  gpu.multiprocessors = 4;
  gpu.max_threads_per_multiprocessor = 2048;
  gpu.shared_per_block_optin = 232448;
  gpu.global_bytes = std::uint64_t{1} << 30;
  return gpu;
}

/// The head of every module of the tests.
inline std::string ptx_header() { return ".version 9.0\n.target sm_90\n.address_size 64\n"; }

class PtxBench {
 public:
  explicit PtxBench(const std::string& text, HandlerSet handlers = HandlerSet::best) {
    auto module = ptx::parse(
        text.find(".version") == std::string::npos ? ptx_header() + text : text, "test.ptx");
    if (!module) FAIL(module.error().english());
    auto loaded = load_module(std::move(*module), small_gpu(), memory, handlers);
    if (!loaded) FAIL(loaded.error().english());
    image = *loaded;
    request.module = image;
    request.kernel = image->kernels().empty() ? "" : image->kernels()[0].mangled;
    request.host_threads = 1;
    request.observe.initcheck = true;
    request.budget.thread_instructions = 200'000'000;
  }

  template <class T>
  Pointer buffer(const std::string& name, const std::vector<T>& values) {
    const Pointer p = room<T>(name, values.size());
    if (!values.empty()) REQUIRE(memory->write(p, std::as_bytes(std::span(values))));
    return p;
  }
  /// Uninitialised.
  template <class T>
  Pointer room(const std::string& name, std::size_t count) {
    auto p = memory->allocate(name, element_type_of<T>::value, count * sizeof(T));
    REQUIRE(p);
    return *p;
  }
  template <class T>
  std::vector<T> read(Pointer p, std::size_t count) const {
    std::vector<T> values(count);
    if (count != 0) REQUIRE(memory->read(p, std::as_writable_bytes(std::span(values))));
    return values;
  }

  template <class... Arguments>
  Expected<LaunchRecord> try_launch(Dim3 grid, Dim3 block, Arguments... arguments) {
    request.grid = grid;
    request.block = block;
    request.parameters.clear();
    (put(arguments), ...);
    return run(request);
  }
  template <class... Arguments>
  LaunchRecord launch(Dim3 grid, Dim3 block, Arguments... arguments) {
    auto record = try_launch(grid, block, arguments...);
    if (!record) FAIL(record.error().english());
    return std::move(*record);
  }
  /// Launches and asks for a run without any error.
  template <class... Arguments>
  LaunchRecord good(Dim3 grid, Dim3 block, Arguments... arguments) {
    LaunchRecord record = launch(grid, block, arguments...);
    if (record.error) FAIL(record.error->english());
    return record;
  }

  std::shared_ptr<GlobalMemory> memory = std::make_shared<GlobalMemory>(std::uint64_t{1} << 30);
  std::shared_ptr<const LoadedModule> image;
  RunRequest request;

 private:
  template <class T>
  void put(T value) {
    const std::size_t at =
        (request.parameters.size() + sizeof value - 1) / sizeof value * sizeof value;
    request.parameters.resize(at + sizeof value);
    std::memcpy(request.parameters.data() + at, &value, sizeof value);
  }
};

}  // namespace warpbook::device::tests
