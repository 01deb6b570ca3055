// Compilers that tests share, so that each test does not warm its own, and what tests ask of them.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <utility>

#include "device/compiler/compiler.hpp"

namespace warpbook::device {

/// Without a cache, warm from its second use on, for each highest level.
inline Compiler& compiler_at(ConfinementLevel level) {
  static const auto options = [](ConfinementLevel highest) {
    Compiler::Options o;
    o.cache_folder = "-";
    o.highest_level = highest;
    return o;
  };
  static Compiler limits(options(ConfinementLevel::limits)),
      seccomp(options(ConfinementLevel::seccomp)), landlock(options(ConfinementLevel::landlock)),
      namespaces(options(ConfinementLevel::namespaces));
  switch (level) {
    case ConfinementLevel::limits: return limits;
    case ConfinementLevel::seccomp: return seccomp;
    case ConfinementLevel::landlock: return landlock;
    default: return namespaces;
  }
}

inline Compiler& compiler() { return compiler_at(ConfinementLevel::namespaces); }

inline CompileRequest request_of(std::string source) {
  CompileRequest request;
  request.name = "student.cu";
  request.source = std::move(source);
  return request;
}

inline Diagnostic diagnostic_of(std::string file, std::uint32_t line, std::uint32_t column,
                                Severity severity, std::string text) {
  Diagnostic d;
  d.place.file = std::move(file);
  d.place.line = line;
  d.place.column = column;
  d.severity = severity;
  d.text = std::move(text);
  return d;
}

inline const std::string kAdd =
    "__global__ void add(const float* x, const float* y, float* z, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) z[i] = x[i] + y[i];\n"
    "}\n";

/// All that a failure says, as one text to search.
inline std::string everything_said(const CompileFailure& failure) {
  std::string text = failure.error.english();
  for (const Diagnostic& d : failure.diagnostics) {
    text += "\n" + d.place.file + ":" + std::to_string(d.place.line) + ": " + d.text;
  }
  return text;
}

}  // namespace warpbook::device
