// Each function of the runtime answers as NVIDIA documents it: the programs hold the answers.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <csignal>
#include <map>
#include <vector>

#include "device/runtime/cuda_error.hpp"
#include "tests/device/runtime/whole_program.hpp"
#include "tests/keyed.hpp"

namespace warpbook::tests::answers_test {

using namespace device::runtime;
using device::ErrorCode;

TEST_CASE("Memory is allocated, copied and freed as CUDA documents it") {
  const auto wanted =
      GENERATE(as<std::string>{}, "there-and-back", "large", "nothing", "wrong-frees",
               "freed-twice", "wrong-kinds", "wrong-sizes", "between-devices", "fills", "pitched",
               "three-dimensional", "managed", "managed-variable", "pinned", "registered",
               "symbols", "attributes", "out-of-memory", "reset");
  CAPTURE(wanted);
  const RanProgram ran = run_case("memory", wanted);
  check_documented(ran);
  CHECK(never_freed(ran.outcome) == 0);
}

TEST_CASE("Where copies arrive late, who waits for what it reads sees no difference") {
  const auto [program, wanted] =
      GENERATE(table<std::string, std::string>({{"streams", "one-of-two-streams"},
                                                {"streams", "asynchronous-copies"},
                                                {"streams", "host-functions"},
                                                {"streams", "pipeline"},
                                                {"memory", "pinned"}}));
  CAPTURE(program, wanted);
  check_documented(run_case(program, wanted, {.late_copies = true}));
}

TEST_CASE("Memory that a program never frees is known by the call that allocated it") {
  const RanProgram ran = run_case("memory", "never-freed");
  check_documented(ran);
  const auto& allocations = ran.outcome.record.allocations;
  REQUIRE(allocations.size() == 2);
  CHECK(never_freed(ran.outcome) == 2);
  CHECK(allocations[0].kind == MemoryKind::device);
  CHECK(allocations[1].kind == MemoryKind::pinned);
  CHECK(ran.outcome.calls.at(allocations[0].call).function == Function::cudaMalloc);
  CHECK(ran.outcome.calls.at(allocations[1].call).function == Function::cudaMallocHost);
  CHECK(ran.outcome.calls.at(allocations[1].call).values[0] == allocations[1].address);
}

TEST_CASE("Memory that is freed twice is an error of the second call") {
  const RanProgram ran = run_case("memory", "freed-twice");
  CHECK(errors_of(ran.outcome, Function::cudaFree) ==
        std::vector<std::int32_t>{kSuccess, kInvalidValue});
  CHECK(errors_of(ran.outcome, Function::cudaFreeHost) ==
        std::vector<std::int32_t>{kSuccess, kInvalidValue});
}

TEST_CASE("A host access to device memory ends the program, and its address is known") {
  const bool writes = GENERATE(false, true);
  CAPTURE(writes);
  const RanProgram ran = run_case("memory", writes ? "host-writes-device" : "host-reads-device");
  CHECK(ran.output.empty());
  CHECK(ran.outcome.end == ProgramOutcome::End::signalled);
  CHECK(ran.outcome.code == SIGSEGV);
  REQUIRE(ran.outcome.fault);
  REQUIRE(ran.outcome.record.allocations.size() == 1);
  CHECK(ran.outcome.fault->signal == SIGSEGV);
  CHECK(ran.outcome.fault->write == writes);
  CHECK(ran.outcome.fault->address == ran.outcome.record.allocations[0].address + 12);
  CHECK(ran.outcome.fault->frames[0] != 0);
}

TEST_CASE("Managed memory is closed to the host once it is freed") {
  const RanProgram ran = run_case("memory", "host-reads-freed-managed");
  CHECK(ran.outcome.end == ProgramOutcome::End::signalled);
  CHECK(ran.outcome.code == SIGSEGV);
}

TEST_CASE("A kernel that leaves its memory is a finding, and the program goes on as on a GPU") {
  ProgramWishes wishes;
  wishes.name_of_memory = [](const CallRecord& call, std::uint64_t) {
    return std::string(name_of(call.function));
  };
  const RanProgram ran = run_case("memory", "kernel-out-of-bounds", wishes);
  check_documented(ran);
  REQUIRE(ran.outcome.record.launches.size() == 1);
  const LaunchNote& launch = ran.outcome.record.launches[0];
  CHECK(launch.cuda_error == kSuccess);
  CHECK(launch.findings_total == 4);  // two threads, each of which reads and writes
  REQUIRE_FALSE(launch.findings.empty());
  CHECK(launch.findings[0].address == ran.outcome.record.allocations.at(0).address + 4000);
  CHECK(keyed(launch.findings[0].error).find("name=cudaMalloc") != std::string::npos);
}

TEST_CASE(
    "The estimated clock lets the work of two streams overlap, and keeps each stream's order") {
  const RanProgram ran = run_case("streams", "pipeline");
  check_documented(ran);
  std::map<std::uint32_t, std::vector<OperationNote>> streams;
  for (const OperationNote& operation : ran.outcome.record.operations)
    streams[operation.stream].push_back(operation);
  REQUIRE(streams.size() == 2);
  for (const auto& [stream, operations] : streams) {
    REQUIRE(operations.size() == 3);
    CHECK(operations[0].engine == Engine::copy_in);
    CHECK(operations[1].engine == Engine::kernel);
    CHECK(operations[2].engine == Engine::copy_out);
    CHECK(operations[0].bytes == 1u << 20);
    CHECK(operations[1].time.begin >= operations[0].time.end);
    CHECK(operations[2].time.begin >= operations[1].time.end);
  }
  const auto& first = streams.begin()->second;
  const auto& second = streams.rbegin()->second;
  CHECK(second[0].time.begin >= first[0].time.end);  // there is one engine a direction
  CHECK(second[0].time.begin < first[2].time.end);
  CHECK(first[2].time.begin < second[0].time.end);
}

TEST_CASE("Errors last as CUDA documents it") {
  const auto wanted = GENERATE(as<std::string>{}, "last-error", "texts", "refused-launches",
                               "silent-refusal", "no-configuration", "absent");
  CAPTURE(wanted);
  check_documented(run_case("errors", wanted));
}

TEST_CASE("The failure of a kernel is the answer of every later call") {
  const auto [wanted, error] =
      GENERATE(table<std::string, std::int32_t>({{"illegal-address", kIllegalAddress},
                                                 {"misaligned-address", kMisalignedAddress},
                                                 {"assertion", kAssert},
                                                 {"trap", kLaunchFailure}}));
  CAPTURE(wanted);
  const RanProgram ran = run_case("errors", wanted);
  check_documented(ran);
  REQUIRE(ran.outcome.record.launches.size() == 1);
  CHECK(ran.outcome.record.launches[0].cuda_error == error);
  CHECK(errors_of(ran.outcome, Function::cudaDeviceSynchronize) ==
        std::vector<std::int32_t>{error, error});
}

TEST_CASE("A launch that is refused is kept with its reason") {
  const RanProgram ran = run_case("errors", "silent-refusal");
  REQUIRE(ran.outcome.record.launches.size() == 1);
  const LaunchNote& launch = ran.outcome.record.launches[0];
  CHECK(launch.cuda_error == kInvalidConfiguration);
  REQUIRE(launch.error);
  CHECK(launch.error->code == ErrorCode::invalid_configuration);
  CHECK(launch.kernel == "add_one");
  CHECK(ran.outcome.record.operations.empty());
}

TEST_CASE("A call of a function that the runtime does not have is kept by its name") {
  const RanProgram ran = run_case("errors", "absent");
  CHECK(errors_of(ran.outcome, Function::cudaDeviceFlushGPUDirectRDMAWrites) ==
        std::vector<std::int32_t>{kNotSupported});
}

TEST_CASE("Kernels are launched in every way that CUDA has") {
  const auto wanted = GENERATE(as<std::string>{}, "every-way", "arguments", "shared-memory",
                               "function-attributes", "occupancy", "clusters");
  CAPTURE(wanted);
  check_documented(run_case("launches", wanted));
}

TEST_CASE("Streams, events and host functions keep the order that CUDA promises") {
  const auto wanted = GENERATE(as<std::string>{}, "order", "query", "wait-event", "elapsed-time",
                               "handles", "attributes", "host-functions", "calls-in-host-functions",
                               "host-functions-after-failures", "asynchronous-copies");
  CAPTURE(wanted);
  check_documented(run_case("streams", wanted));
}

TEST_CASE("Several host threads use the runtime at once") {
  const auto wanted = GENERATE(as<std::string>{}, "per-thread-streams", "several-threads");
  CAPTURE(wanted);
  check_documented(run_case("streams", wanted));
}

TEST_CASE("A kernel and the host talk through memory that both see while the kernel runs") {
  const auto wanted = GENERATE(as<std::string>{}, "kernel-waits-for-host",
                               "kernel-waits-for-slow-host", "kernel-answers-in-pinned-memory");
  CAPTURE(wanted);
  check_documented(run_case("streams", wanted));
}

TEST_CASE("The calls of a thread carry its number") {
  const RanProgram ran = run_case("streams", "per-thread-streams");
  std::map<std::uint16_t, int> launches;
  for (const CallRecord& call : ran.outcome.calls)
    if (call.function == Function::cudaLaunchKernel) ++launches[call.thread];
  CHECK(launches.size() == 4);
  for (const auto& [thread, count] : launches) CHECK(count == 5);
}

TEST_CASE("A device says what it is, and refuses what it does not know") {
  const auto wanted = GENERATE(as<std::string>{}, "properties", "limits", "bus-ids");
  CAPTURE(wanted);
  check_documented(run_case("devices", wanted));
}

TEST_CASE("Several devices have their own memory and streams, and reach each other") {
  const auto wanted =
      GENERATE(as<std::string>{}, "peers", "streams-of-devices", "memory-of-devices");
  CAPTURE(wanted);
  check_documented(run_case("devices", wanted, {.devices = 2}));
}

TEST_CASE("Arrays, textures and surfaces answer as CUDA documents it") {
  const auto wanted =
      GENERATE(as<std::string>{}, "information", "rows", "volumes", "textures", "mipmaps");
  CAPTURE(wanted);
  const RanProgram ran = run_case("arrays", wanted);
  check_documented(ran);
  CHECK(never_freed(ran.outcome) == 0);
}

TEST_CASE("Memory pools answer as CUDA documents it") {
  const auto wanted = GENERATE(as<std::string>{}, "in-order", "own-pool");
  CAPTURE(wanted);
  const RanProgram ran = run_case("pools", wanted);
  check_documented(ran);
  CHECK(never_freed(ran.outcome) == 0);
}

TEST_CASE("A kernel that uses memory after its stream has freed it is a finding") {
  const RanProgram ran = run_case("pools", "used-after-free");
  check_documented(ran);
  REQUIRE(ran.outcome.record.launches.size() == 1);
  const LaunchNote& launch = ran.outcome.record.launches.front();
  REQUIRE(!launch.findings.empty());
  CHECK(launch.findings.front().error.code == ErrorCode::use_after_free);
}

TEST_CASE("Streams are captured as CUDA documents it, and what cannot be is refused") {
  const auto wanted = GENERATE(as<std::string>{}, "straight", "fork-and-join", "not-allowed");
  CAPTURE(wanted);
  check_documented(run_case("capture", wanted));
}

TEST_CASE("Graphs of nodes are built, changed and launched as CUDA documents it") {
  const auto wanted = GENERATE(as<std::string>{}, "kinds", "structure", "update");
  CAPTURE(wanted);
  check_documented(run_case("graphs", wanted));
}

TEST_CASE("Graphs allocate and free memory as CUDA documents it") {
  const auto wanted = GENERATE(as<std::string>{}, "memory-nodes", "captured-allocations",
                               "memory-left-allocated", "memory-attributes");
  CAPTURE(wanted);
  const RanProgram ran = run_case("graphs", wanted);
  check_documented(ran);
  CHECK(never_freed(ran.outcome) == 0);
}

TEST_CASE("Managed memory says what was advised about each part of it") {
  check_documented(run_case("memory", "advice"));
}

TEST_CASE("The driver API answers as CUDA documents it") {
  const auto wanted =
      GENERATE(as<std::string>{}, "initialisation", "devices", "contexts", "destroyed-elsewhere",
               "primary-context", "modules", "messages-of-compilers", "variables", "memory",
               "memory-of-both", "launches", "failing-kernel", "streams", "graph-nodes", "textures",
               "linking", "libraries", "entry-points");
  CAPTURE(wanted);
  check_documented(run_case("driver", wanted));
}

TEST_CASE("The runtime and the driver API share what a program makes with either") {
  const auto wanted = GENERATE(as<std::string>{}, "runtime-first", "memory", "errors",
                               "streams-and-events", "kernels", "entry-points");
  CAPTURE(wanted);
  check_documented(run_case("both_apis", wanted));
}

TEST_CASE("A call of the driver is one call in the log, under the name that programs use") {
  const RanProgram ran = run_case("driver", "variables");
  std::map<std::string, int> names;
  for (const CallRecord& call : ran.outcome.calls) ++names[std::string(name_of(call.function))];
  CHECK(names["cuMemAlloc"] == 1);
  CHECK(names["cuMemcpyHtoD"] == 1);
  CHECK(names["cuLaunchKernel"] == 1);
  CHECK(names["cudaMalloc"] == 0);
  CHECK(ran.outcome.record.allocations.size() == 1);
}

TEST_CASE("A function that the driver does not have is kept by its name") {
  const RanProgram ran = run_case("driver", "absent");
  check_documented(ran);
  CHECK(errors_of(ran.outcome, Function::cuFlushGPUDirectRDMAWrites) ==
        std::vector<std::int32_t>{kNotSupported});
}

}  // namespace warpbook::tests::answers_test
