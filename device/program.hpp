// A compiled program with its diagnostics: everything that a device needs to load it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "device/error.hpp"

namespace warpbook::device {

enum class Severity : std::uint8_t { note, remark, warning, error };
constexpr auto enum_names(Severity) {
  return checked_names<Severity>("note", "remark", "warning", "error");
}

struct Diagnostic {
  SourcePlace place;  ///< file is the SourceFile's own name
  Severity severity = Severity::error;
  std::string text;  ///< the compiler's words, without place and severity
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};
template <class V>
void fields(V&& visit, Is<Diagnostic> auto& v) {
  visit("place", v.place);
  visit("severity", v.severity);
  visit("text", v.text);
}

/// The result of a compile.
struct Program {
  std::string name;  ///< of the source
  std::string source;
  int architecture = 0;
  std::string ptx;
  std::vector<std::uint8_t> cubin;                           ///< empty unless asked for
  std::vector<Diagnostic> diagnostics;                       ///< warnings and remarks
  std::vector<std::pair<std::string, std::string>> lowered;  ///< name expression -> mangled name
  std::string nvrtc;                                         ///< "13.0"
  double seconds = 0;  ///< the compile's own time, also for a program from the cache
  bool cached = false;
};
/// Without `cached`: the cache keeps a program as it was made.
template <class V>
void fields(V&& visit, Is<Program> auto& v) {
  visit("name", v.name);
  visit("source", v.source);
  visit("architecture", v.architecture);
  visit("ptx", v.ptx);
  visit("cubin", v.cubin);
  visit("diagnostics", v.diagnostics);
  visit("lowered", v.lowered);
  visit("nvrtc", v.nvrtc);
  visit("seconds", v.seconds);
}

}  // namespace warpbook::device
