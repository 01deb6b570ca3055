// Threads wired to the elements that they touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/exhibits/tensor/tensor.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// Threads wired to the elements that they touched: drawn from the trace, never from a formula.
struct AccessesExhibit {
  static constexpr std::string_view kKind = "accesses";
  /// Threads of a launch that are drawn: each of them is looked at.
  static constexpr std::uint64_t kMostThreads = std::uint64_t{1} << 27;
  struct Array {
    TensorExhibit tensor;  ///< what it held after the run
    bool written = false;
    friend bool operator==(const Array&, const Array&) = default;
  };
  struct Wire {
    std::uint32_t block = 0, thread = 0;  ///< linear
    std::uint32_t array = 0;              ///< index into arrays
    std::int64_t element = 0;             ///< may lie outside the array: a stray access
    device::AccessKind kind = device::AccessKind::load;
    std::uint32_t line = 0;  ///< of the source
    friend bool operator==(const Wire&, const Wire&) = default;
  };
  device::Dim3 grid, block;   ///< of a launch of more than kMostThreads its first blocks
  std::vector<Array> arrays;  ///< inputs first
  std::vector<Wire> wires;    ///< in the order of the trace
  bool cut = false;           ///< more happened than is shown, or would have but for the stop
  bool stopped = false;       ///< a budget ended the launch before its end
  friend bool operator==(const AccessesExhibit&, const AccessesExhibit&) = default;
};

/// Every traced access to global memory that reached one of `arrays` (matched with the record's allocations by name),
/// as wires in the order of the trace; behind them the stray accesses, which the checker suppressed, by its findings.
AccessesExhibit accesses_of(const device::LaunchRecord& record,
                            std::vector<AccessesExhibit::Array> arrays);

template <class V>
void fields(V&& visit, Is<AccessesExhibit::Array> auto& v) {
  visit("tensor", v.tensor);
  visit("written", v.written);
}

template <class V>
void fields(V&& visit, Is<AccessesExhibit::Wire> auto& v) {
  visit("block", v.block);
  visit("thread", v.thread);
  visit("array", v.array);
  visit("element", v.element);
  visit("kind", v.kind);
  visit("line", v.line);
}

template <class V>
void fields(V&& visit, Is<AccessesExhibit> auto& v) {
  visit("grid", v.grid);
  visit("block", v.block);
  visit("arrays", v.arrays);
  visit("wires", v.wires);
  visit("cut", v.cut);
  visit("stopped", v.stopped);
}
/// Every wire is from a thread of the block to one of the arrays, and there are no more than kMostThreads.
bool valid(const AccessesExhibit& v);

void extras(JsonExtras& json, const AccessesExhibit::Wire& wire, const AccessesExhibit& whole);

std::string sentence_of(const AccessesExhibit& accesses, const Strings& strings);
void text_body(const AccessesExhibit& accesses, const Strings& strings, Page& page);
std::string html_body(const AccessesExhibit& accesses, const Strings& strings,
                      const std::string& caption);
std::string_view style_of(std::type_identity<AccessesExhibit> kind);
Table table_of(const AccessesExhibit& accesses, const Strings& strings);
void compare(const AccessesExhibit& a, const AccessesExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
