// Runs a built program with its kernels on a simulated GPU: the program in a process of its own, the service in this one.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "device/runtime/program_box.hpp"
#include "device/runtime/service.hpp"

namespace warpbook::device::runtime {

struct ProgramRun {
  std::filesystem::path executable;
  std::vector<std::string> arguments;
  std::filesystem::path folder;  ///< in which it runs; empty: the current one
  std::filesystem::path
      library;  ///< the folder of libcudart.so.13, for programs that do not know it; empty: they do
  ServiceSettings service;
  std::optional<ProgramBox> box = ProgramBox{};  ///< nothing: it runs with all rights of the user
  double seconds = 0;            ///< after which the program and its kernels are killed; 0: never
  int input = -1;                ///< descriptor of what it reads; -1: ours
  int output = -1, errors = -1;  ///< descriptors for what it prints; -1: ours
  std::stop_token stop;
};

/// What HostFault says, once the program has ended.
struct ProgramFault {
  int signal = 0;
  bool write = false;
  std::uint64_t address = 0;
  std::array<std::uint64_t, kFrames> frames{};
};

struct ProgramOutcome {
  enum class End : std::uint8_t { exited, signalled, out_of_time, stopped } end = End::exited;
  int code = 0;  ///< exit code, or the signal's number
  double seconds = 0;
  std::vector<CallRecord> calls;
  std::uint64_t calls_total = 0;
  std::uint64_t base = 0;  ///< where the program was loaded
  std::optional<ProgramFault> fault;
  ProgramRecord record;
};

/// The folder of our libcudart.so.13: runtime/ beside the program `warpbook`, or beside the folder of the tests' programs. Error:
/// library_missing.
Expected<std::filesystem::path> library_folder();

/// Standard input, and output and error unless the run names others, are our own. Errors: worker_failed, where it cannot be
/// started; out_of_memory; those of start_in_box().
Expected<ProgramOutcome> run_program(const ProgramRun& run);

}  // namespace warpbook::device::runtime
