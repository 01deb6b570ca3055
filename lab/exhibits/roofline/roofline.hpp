// Runs below the roofs of a GPU: operations per byte against operations per second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// Runs in the plane of operations a byte and operations a second, below the roofs of a GPU. Which memory's bytes operations are
/// set against, `memory` says.
struct RooflineExhibit {
  static constexpr std::string_view kKind = "roofline";
  /// What one part of the GPU does at most, by the GPU table.
  struct Roof {
    std::string part;  ///< "dram", "l2"; "fp32", "fp64", "half", "tensor-half", "tensor-single"
    double rate = 0;   ///< a second: bytes, or floating-point operations
    friend bool operator==(const Roof&, const Roof&) = default;
  };
  struct Point {
    Message name;
    double operations = 0;                  ///< floating-point; a multiply-add counts two
    double dram_bytes = 0, l2_bytes = 0;    ///< moved
    double seconds = 0, low = 0, high = 0;  ///< with the estimate's band
    std::uint32_t ceiling = 0;  ///< index into ceilings: what its operations are held against
    std::string limiter;        ///< "dram": the longest of the estimate's bounds; may be empty
    friend bool operator==(const Point&, const Point&) = default;
  };
  std::string gpu;
  std::vector<Roof> memories;  ///< DRAM first
  std::uint32_t memory =
      0;  ///< of memories: the one of the axis; only it and those behind it have a slope
  std::vector<Roof> ceilings;
  std::vector<Point> points;
  std::uint32_t chosen = 0;  ///< of points: what is shown first
  friend bool operator==(const RooflineExhibit&, const RooflineExhibit&) = default;
};

template <class V>
void fields(V&& visit, Is<RooflineExhibit::Roof> auto& v) {
  visit("part", v.part);
  visit("rate", v.rate);
}

template <class V>
void fields(V&& visit, Is<RooflineExhibit::Point> auto& v) {
  visit("name", v.name);
  visit("operations", v.operations);
  visit("dram_bytes", v.dram_bytes);
  visit("l2_bytes", v.l2_bytes);
  visit("seconds", v.seconds);
  visit("low", v.low);
  visit("high", v.high);
  visit("ceiling", v.ceiling);
  visit("limiter", v.limiter);
}

template <class V>
void fields(V&& visit, Is<RooflineExhibit> auto& v) {
  visit("gpu", v.gpu);
  visit("memories", v.memories);
  visit("memory", v.memory);
  visit("ceilings", v.ceilings);
  visit("points", v.points);
  visit("chosen", v.chosen);
}
/// Every point is below one of the ceilings.
bool valid(const RooflineExhibit& v);

void extras(JsonExtras& json, const RooflineExhibit::Point& point, const RooflineExhibit& whole);

std::string sentence_of(const RooflineExhibit& roofline, const Strings& strings);
void text_body(const RooflineExhibit& roofline, const Strings& strings, Page& page);
std::string html_body(const RooflineExhibit& roofline, const RooflineExhibit* beside,
                      const Strings& strings, const std::string& caption);
std::string_view style_of(std::type_identity<RooflineExhibit> kind);
Table table_of(const RooflineExhibit& roofline, const Strings& strings);
void compare(const RooflineExhibit& a, const RooflineExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
