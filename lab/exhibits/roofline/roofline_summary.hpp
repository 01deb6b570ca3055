// Rooflines: what their renderers share. Both axes are logarithmic.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/exhibits/roofline/roofline.hpp"

namespace warpbook::lab {

/// Name of the memory whose bytes the axis is about: "dram" where the exhibit does not say.
std::string axis_memory(const RooflineExhibit& roofline);
/// Operations for each byte that this memory moves.
double intensity_of(const RooflineExhibit& roofline, const RooflineExhibit::Point& point);
/// Operations for each byte that L2 moves; infinite where it moves none.
double intensity_at_l2(const RooflineExhibit::Point& point);
/// Operations a second.
double rate_of(const RooflineExhibit::Point& point);

/// Why a point has no place in the picture: one of its figures is nothing, or no finite number.
enum class Missing : std::uint8_t { nothing, operations, bytes, time };
Missing missing_of(const RooflineExhibit& roofline, const RooflineExhibit::Point& point);
inline bool is_drawn(const RooflineExhibit& roofline, const RooflineExhibit::Point& point) {
  return missing_of(roofline, point) == Missing::nothing;
}

/// Bytes a second of the axis's memory; 0 where the exhibit does not say.
double memory_rate(const RooflineExhibit& roofline);
/// Operations a second of the ceiling; 0 where there is none.
double ceiling_rate(const RooflineExhibit& roofline, std::uint32_t ceiling);
/// Operations a byte from which on the ceiling, not the memory, is the roof; 0 where either is missing.
double ridge_of(const RooflineExhibit& roofline, std::uint32_t ceiling);
/// The ceilings that are drawn, the highest last.
std::vector<std::uint32_t> drawn_ceilings(const RooflineExhibit& roofline);

/// The roof right above a point: the memory's slope or its ceiling, whichever is lower.
double roof_over(const RooflineExhibit& roofline, const RooflineExhibit::Point& point);
bool is_below_slope(const RooflineExhibit& roofline, const RooflineExhibit::Point& point);
/// What of that roof the point reaches; 0 to 1, or more where what was written stayed in L2.
double share_of_roof(const RooflineExhibit& roofline, const RooflineExhibit::Point& point);

/// The part of the plane that holds every point with its band, and the ridges.
struct RooflineBounds {
  double left = 0, right = 0, low = 0, high = 0;
  bool any = false;  ///< there are roofs, and a point is drawn
};
RooflineBounds bounds_of(const RooflineExhibit& roofline);
/// The part of the plane that holds both.
RooflineBounds joined(const RooflineBounds& a, const RooflineBounds& b);

/// A straight piece of the roofs, from left to right, within the bounds.
struct RoofLine {
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  std::string part;     ///< whose roof it is
  bool memory = false;  ///< a slope
  bool main = false;  ///< the axis's memory, or the highest ceiling behind its ridge: drawn through
};
std::vector<RoofLine> roof_lines(const RooflineExhibit& roofline, const RooflineBounds& bounds);

/// "A" for the first point; numbers behind "Z".
std::string point_sign(std::size_t point);
/// "multiply-adds (FP32)".
std::string part_name(const std::string& part, const Strings& strings);
/// "12.5 GFLOP/s", "4.8 TB/s".
std::string operation_rate(double rate);
std::string byte_rate(double rate);
/// A row of a table: sign, name, operations a byte, reached, roof, its share in per cent; "–" where there is none.
std::vector<std::string> row_of(const RooflineExhibit& roofline, std::size_t point,
                                const Strings& strings);
std::vector<std::string> row_head(const Strings& strings);
/// A point and the roof above it, in two sentences.
std::string roofed_text(const RooflineExhibit& roofline, std::size_t point, const Strings& strings);
/// The same, and what limits the point by the estimate.
std::string point_text(const RooflineExhibit& roofline, std::size_t point, const Strings& strings);
/// "DRAM 4.8 TB/s, L2 5.5 TB/s; FP32 66.9 TFLOP/s, from 13.9 operations a byte on", and where that is from.
std::string roofs_text(const RooflineExhibit& roofline, const Strings& strings);

}  // namespace warpbook::lab
