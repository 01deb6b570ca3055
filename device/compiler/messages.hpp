// What Warpbook and its compile worker say to each other, and the forms in which requests and
// programs are kept.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/compiler/box.hpp"
#include "device/compiler/compiler.hpp"
#include "device/compiler/nvrtc.hpp"
#include "device/compiler/toolkit.hpp"

namespace warpbook::device {

/// Kinds of frame. Owner to worker: hello once, then compile and stop. Worker to owner: ready once,
/// then done.
enum class CompileFrame : std::uint32_t { hello = 1, compile, stop, ready, done };

struct WorkerHello {
  Toolkit toolkit;
  BoxRung highest_rung = BoxRung::namespaces;
  BoxLimits limits;
};

struct WorkerReady {
  std::string missing;  ///< why NVRTC cannot be used; empty: it can
  std::string version;  ///< "13.0.88"
  std::string release;  ///< "13.0"
  std::vector<int> architectures;
  BoxRung rung = BoxRung::limits;
  std::string why_not_higher;
};

/// How one boxed compile ended.
enum class CompileEnd : std::uint8_t {
  finished,   ///< the result is in the attached memory
  stopped,    ///< because the owner asked
  no_time,    ///< at the bound on processor time
  no_memory,  ///< at the bound on memory
  died        ///< otherwise; `detail` says how
};

struct CompileDone {
  std::uint64_t id = 0;
  CompileEnd end = CompileEnd::died;
  std::string detail;
  double seconds = 0;
};

std::string to_bytes(const WorkerHello& hello);
std::string to_bytes(const WorkerReady& ready);
std::string to_bytes(const CompileDone& done);
std::string to_bytes(const CompileRequest& request);
std::string to_bytes(const NvrtcResult& result);
std::string to_bytes(const Program& program);

std::optional<WorkerHello> hello_from(std::string_view bytes);
std::optional<WorkerReady> ready_from(std::string_view bytes);
std::optional<CompileDone> done_from(std::string_view bytes);
std::optional<CompileRequest> request_from(std::string_view bytes);
std::optional<NvrtcResult> result_from(std::string_view bytes);
std::optional<Program> program_from(std::string_view bytes);

}  // namespace warpbook::device
