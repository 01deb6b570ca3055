#include "tests/bench/simulator/simulated.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "device/platform.hpp"
#include "tests/bench/clock.hpp"

namespace warpbook::bench {

using namespace device;

namespace {

template <class T>
T value_of(Expected<T> result) {
  if (!result) throw std::runtime_error(result.error().english());
  return std::move(*result);
}

}  // namespace

std::shared_ptr<const Program> compile(Compiler& compiler, const Case& c) {
  CompileRequest request;
  request.name = c.kernel + ".cu";
  request.source = value_of(
      read_file(std::string(WARPBOOK_SOURCE_DIR) + "/tests/bench/kernels/" + request.name));
  auto program = compiler.compile(request);
  if (!program) {
    std::string words = program.error().error.english();
    for (const Diagnostic& d : program.error().diagnostics)
      words += fmt::format("\n{}:{}: {}", d.place.file, d.place.line, d.text);
    throw std::runtime_error(words);
  }
  return std::move(*program);
}

Simulated::Simulated(Device& device, const std::shared_ptr<const Program>& program, const Case& c)
    : device_(device), case_(c) {
  launch_.module = value_of(device.load(program));
  launch_.kernel = c.kernel;
  launch_.grid = c.grid;
  launch_.block = c.block;
  launch_.observe.trace_accesses = 0;
  const auto put = [&](const Array& array) {
    const std::uint64_t count = array.bytes.size() / size_of(array.type);
    const Pointer address = value_of(device.allocate(array.name, array.type, count));
    buffers_.emplace_back(device,
                          AllocationInfo{array.name, address, array.bytes.size(), array.type});
    value_of(device.copy_in(address, array.bytes).wait());
    launch_.arguments.push_back(Argument::pointer(address));
  };
  for (const Array& input : c.inputs) put(input);
  put(c.output);
  launch_.arguments.push_back(Argument::of(c.size));
}

Simulated::Run Simulated::run(Mode mode) {
  launch_.host_threads = mode.host_threads;
  launch_.observe.initcheck = launch_.observe.racecheck = mode.init_and_race;
  std::shared_ptr<const LaunchRecord> record;
  const double processor =
      processor_seconds_of([&] { record = value_of(device_.launch(launch_).wait()); });
  if (record->error) throw std::runtime_error(case_.name + ": " + record->error->english());
  if (record->host_threads != mode.host_threads)
    throw std::runtime_error(fmt::format("{}: runs on {} host threads instead of {}", case_.name,
                                         record->host_threads, mode.host_threads));
  return {record->seconds, processor, record->total.thread_instructions};
}

Array Simulated::result(Mode mode) {
  Array output = case_.output;
  const Pointer address = buffers_.back().address();
  value_of(device_.copy_in(address, output.bytes).wait());
  (void)run(mode);
  value_of(device_.copy_out(output.bytes, address).wait());
  return output;
}

}  // namespace warpbook::bench
