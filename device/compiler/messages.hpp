// What Warpbook and its compile worker say to each other: the value of each message, as its list of fields
// (device/wire/bytes.hpp) writes and reads it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/compiler/box.hpp"
#include "device/compiler/compiler.hpp"
#include "device/compiler/nvrtc.hpp"
#include "device/compiler/toolkit.hpp"
#include "device/wire/bytes.hpp"

namespace warpbook::device {

/// Kinds of message. Owner to worker: hello once, then compile and stop. Worker to owner: ready once,
/// then done.
enum class CompileMessage : std::uint32_t { hello = 1, compile, stop, ready, done };

struct WorkerHello {
  Toolkit toolkit;
  ConfinementLevel highest_level = ConfinementLevel::namespaces;
  BoxLimits limits;
};
template <class V>
void fields(V&& visit, Is<WorkerHello> auto& v) {
  visit("toolkit", v.toolkit);
  visit("highest_level", v.highest_level);
  visit("limits", v.limits);
}

struct WorkerReady {
  std::string missing;  ///< why NVRTC cannot be used; empty: it can
  std::string version;  ///< "13.0.88"
  std::string release;  ///< "13.0"
  std::vector<int> architectures;
  ConfinementLevel level = ConfinementLevel::limits;
  std::string why_not_higher;
};
template <class V>
void fields(V&& visit, Is<WorkerReady> auto& v) {
  visit("missing", v.missing);
  visit("version", v.version);
  visit("release", v.release);
  visit("architectures", v.architectures);
  visit("level", v.level);
  visit("why_not_higher", v.why_not_higher);
}

/// Of a message `compile`. Its id comes back with the answer.
struct CompileAsked {
  std::uint64_t id = 0;
  CompileRequest request;
};
template <class V>
void fields(V&& visit, Is<CompileAsked> auto& v) {
  visit("id", v.id);
  visit("request", v.request);
}

/// How one boxed compile ended.
enum class CompileEnd : std::uint8_t {
  finished,   ///< the result is in the attached memory
  stopped,    ///< because the owner asked
  no_time,    ///< at the bound on processor time
  no_memory,  ///< at the bound on memory
  died        ///< otherwise; `detail` says how
};
constexpr auto enum_names(CompileEnd) {
  return checked_names<CompileEnd>("finished", "stopped", "no_time", "no_memory", "died");
}

struct CompileDone {
  std::uint64_t id = 0;
  CompileEnd end = CompileEnd::died;
  std::string detail;
  double seconds = 0;            ///< from its start to its end
  double processor_seconds = 0;  ///< of these, those that a processor was at it
};
template <class V>
void fields(V&& visit, Is<CompileDone> auto& v) {
  visit("id", v.id);
  visit("end", v.end);
  visit("detail", v.detail);
  visit("seconds", v.seconds);
  visit("processor_seconds", v.processor_seconds);
}

}  // namespace warpbook::device
