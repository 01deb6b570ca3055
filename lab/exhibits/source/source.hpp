// A source with what each line cost, what the compiler said and what the checkers found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/compiler/compiler.hpp"
#include "device/launch_record.hpp"
#include "device/sass/sass.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// Source with what each line cost, what the compiler said and what the checkers found.
struct SourceExhibit {
  static constexpr std::string_view kKind = "source";
  struct Line {
    std::uint32_t line = 0;
    std::uint64_t threads = 0;  ///< lanes that ran it
    device::Counters counters;
    /// Its part of its launches' estimated times by what takes it, the longest first; empty without estimates.
    std::vector<device::EstimateBound> estimated;
    friend bool operator==(const Line&, const Line&) = default;
  };
  /// A line of the PTX that is an instruction.
  struct Instruction {
    std::uint32_t ptx_line = 0;  ///< from 1
    std::uint32_t line = 0;      ///< of the source that it stems from; 0: none of this file
    device::Counters counters;
    double estimated = 0;  ///< seconds of its launches' estimated times
    friend bool operator==(const Instruction&, const Instruction&) = default;
  };
  struct Mark {
    std::uint32_t line = 0, column = 0;
    device::Severity severity = device::Severity::error;
    Message text;  ///< the compiler's words, or a finding
    friend bool operator==(const Mark&, const Mark&) = default;
  };
  std::string file;  ///< "add.cu"
  std::string slot;  ///< the lesson's source that a reader may edit; empty: shown only
  std::string text;
  std::string ptx;  ///< empty where it did not compile
  std::vector<Line> lines;
  std::vector<Mark> marks;
  std::vector<Instruction> instructions;  ///< of the kernels that ran, by PTX line
  std::optional<device::Sass> sass;       ///< its machine code, where the run was asked for it
  /// Its marks are findings and no compiler's words: TOML that is read, or a whole program that was built.
  bool settings = false;
  friend bool operator==(const SourceExhibit&, const SourceExhibit&) = default;
};

template <class V>
void fields(V&& visit, Is<SourceExhibit::Line> auto& v) {
  visit("line", v.line);
  visit("threads", v.threads);
  visit("counters", v.counters);
  visit("estimated", v.estimated);
}

template <class V>
void fields(V&& visit, Is<SourceExhibit::Mark> auto& v) {
  visit("line", v.line);
  visit("column", v.column);
  visit("severity", v.severity);
  visit("text", v.text);
}

template <class V>
void fields(V&& visit, Is<SourceExhibit::Instruction> auto& v) {
  visit("ptx_line", v.ptx_line);
  visit("line", v.line);
  visit("counters", v.counters);
  visit("estimated", v.estimated);
}

template <class V>
void fields(V&& visit, Is<SourceExhibit> auto& v) {
  visit("file", v.file);
  visit("slot", v.slot);
  visit("text", v.text);
  visit("ptx", v.ptx);
  visit("lines", v.lines);
  visit("marks", v.marks);
  visit("instructions", v.instructions);
  visit("sass", v.sass);
  visit("settings", v.settings);
}

void extras(JsonExtras& json, const device::SassFunction& function);
void extras(JsonExtras& json, const device::SassInstruction& instruction);

std::string sentence_of(const SourceExhibit& source, const Strings& strings);
void text_body(const SourceExhibit& source, const Strings& strings, Page& page);
std::string html_body(const SourceExhibit& source, const Strings& strings,
                      const std::string& caption);
std::string_view style_of(std::type_identity<SourceExhibit> kind);
Table table_of(const SourceExhibit& source, const Strings& strings);
std::string markdown_of(const SourceExhibit& source, const Strings& strings);
void compare(const SourceExhibit& a, const SourceExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
