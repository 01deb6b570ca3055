#include "lab/exhibits/roofline/roofline_summary.hpp"

#include <algorithm>

#include "lab/markup/axis.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Run = RooflineExhibit::Point;

double bytes_of(const RooflineExhibit& roofline, const Run& point) {
  return axis_memory(roofline) == "l2" ? point.l2_bytes : point.dram_bytes;
}

std::string share_text(const RooflineExhibit& roofline, const Run& point) {
  return number(100 * share_of_roof(roofline, point), 3);
}

}  // namespace

std::string axis_memory(const RooflineExhibit& roofline) {
  return roofline.memory < roofline.memories.size() ? roofline.memories[roofline.memory].part
                                                    : "dram";
}

double intensity_of(const RooflineExhibit& roofline, const Run& point) {
  return point.operations / bytes_of(roofline, point);
}
double intensity_at_l2(const Run& point) { return point.operations / point.l2_bytes; }
double rate_of(const Run& point) { return point.operations / point.seconds; }

Missing missing_of(const RooflineExhibit& roofline, const Run& point) {
  if (!is_positive(point.operations)) return Missing::operations;
  if (!is_positive(bytes_of(roofline, point)) || !is_positive(intensity_of(roofline, point)))
    return Missing::bytes;
  return is_positive(point.seconds) && is_positive(rate_of(point)) ? Missing::nothing
                                                                   : Missing::time;
}

double memory_rate(const RooflineExhibit& roofline) {
  const auto memory =
      std::ranges::find(roofline.memories, axis_memory(roofline), &RooflineExhibit::Roof::part);
  return memory != roofline.memories.end() && is_positive(memory->rate) ? memory->rate : 0;
}

double ceiling_rate(const RooflineExhibit& roofline, std::uint32_t ceiling) {
  if (ceiling >= roofline.ceilings.size()) return 0;
  const double rate = roofline.ceilings[ceiling].rate;
  return is_positive(rate) ? rate : 0;
}

double ridge_of(const RooflineExhibit& roofline, std::uint32_t ceiling) {
  const double memory = memory_rate(roofline);
  return memory > 0 ? ceiling_rate(roofline, ceiling) / memory : 0;
}

std::vector<std::uint32_t> drawn_ceilings(const RooflineExhibit& roofline) {
  std::vector<std::uint32_t> drawn;
  for (std::uint32_t c = 0; c < roofline.ceilings.size(); ++c) {
    if (ridge_of(roofline, c) > 0) drawn.push_back(c);
  }
  std::ranges::stable_sort(drawn, {}, [&](std::uint32_t c) { return ceiling_rate(roofline, c); });
  return drawn;
}

double roof_over(const RooflineExhibit& roofline, const Run& point) {
  return std::min(ceiling_rate(roofline, point.ceiling),
                  memory_rate(roofline) * intensity_of(roofline, point));
}

bool is_below_slope(const RooflineExhibit& roofline, const Run& point) {
  return intensity_of(roofline, point) < ridge_of(roofline, point.ceiling);
}

double share_of_roof(const RooflineExhibit& roofline, const Run& point) {
  const double roof = roof_over(roofline, point);
  return is_positive(roof) ? rate_of(point) / roof : 0;
}

RooflineBounds bounds_of(const RooflineExhibit& roofline) {
  RooflineBounds bounds;
  const auto ceilings = drawn_ceilings(roofline);
  if (ceilings.empty()) return bounds;
  bounds.left = ridge_of(roofline, ceilings.front());
  bounds.right = ridge_of(roofline, ceilings.back());
  bounds.high = ceiling_rate(roofline, ceilings.back());
  bounds.low = ceiling_rate(roofline, ceilings.front());
  for (const Run& point : roofline.points) {
    if (!is_drawn(roofline, point)) continue;
    bounds.any = true;
    bounds.left = std::min(bounds.left, intensity_of(roofline, point));
    bounds.right = std::max(bounds.right, intensity_of(roofline, point));
    if (is_positive(intensity_at_l2(point)))
      bounds.left = std::min(bounds.left, intensity_at_l2(point));
    for (const double seconds : {point.seconds, point.low, point.high}) {
      if (!is_positive(seconds) || !is_positive(point.operations / seconds)) continue;
      bounds.low = std::min(bounds.low, point.operations / seconds);
      bounds.high = std::max(bounds.high, point.operations / seconds);
    }
  }
  // Room for the roofs beside the outermost points.
  bounds.left /= 3;
  bounds.right *= 8;
  bounds.low = std::min(bounds.low / 3, bounds.high / 1e3);
  bounds.high *= 3;
  return bounds;
}

RooflineBounds joined(const RooflineBounds& a, const RooflineBounds& b) {
  if (!a.any || !b.any) return a.any ? a : b;
  return {std::min(a.left, b.left), std::max(a.right, b.right), std::min(a.low, b.low),
          std::max(a.high, b.high), true};
}

std::vector<RoofLine> roof_lines(const RooflineExhibit& roofline, const RooflineBounds& bounds) {
  std::vector<RoofLine> lines;
  const auto ceilings = drawn_ceilings(roofline);
  if (ceilings.empty()) return lines;
  const double top = ceiling_rate(roofline, ceilings.back());
  double fastest = 0;
  for (std::size_t i = roofline.memory; i < roofline.memories.size(); ++i) {
    const RooflineExhibit::Roof& memory = roofline.memories[i];
    if (!is_positive(memory.rate)) continue;
    fastest = std::max(fastest, memory.rate);
    const double from = std::max(bounds.left, bounds.low / memory.rate), to = top / memory.rate;
    if (from < to) {
      lines.push_back({from, from * memory.rate, to, top, memory.part, true, i == roofline.memory});
    }
  }
  for (const std::uint32_t c : ceilings) {
    const double rate = ceiling_rate(roofline, c), ridge = ridge_of(roofline, c),
                 begin = std::max(bounds.left, rate / fastest);
    const std::string& part = roofline.ceilings[c].part;
    if (begin < ridge) lines.push_back({begin, rate, ridge, rate, part, false, false});
    lines.push_back({ridge, rate, bounds.right, rate, part, false, c == ceilings.back()});
  }
  return lines;
}

std::string point_sign(std::size_t point) {
  constexpr std::size_t kLetters = 26;
  return point < kLetters ? std::string(1, static_cast<char>('A' + point))
                          : std::to_string(point + 1);
}

std::string part_name(const std::string& part, const Strings& strings) {
  return strings("roofline.part." + part);
}

std::string operation_rate(double rate) { return amount(rate) + "FLOP/s"; }
std::string byte_rate(double rate) { return amount(rate) + "B/s"; }

std::vector<std::string> row_head(const Strings& strings) {
  std::vector<std::string> head{""};
  for (const char* key : {"roofline.head.name", "roofline.head.intensity", "roofline.head.rate",
                          "roofline.head.roof", "roofline.head.share"})
    head.push_back(strings(key));
  return head;
}

std::vector<std::string> row_of(const RooflineExhibit& roofline, std::size_t point,
                                const Strings& strings) {
  const Run& one = roofline.points[point];
  std::vector<std::string> row{point_sign(point), strings(one.name)};
  if (!is_drawn(roofline, one)) {
    row.insert(row.end(), 4, "–");
    return row;
  }
  row.insert(row.end(),
             {number(intensity_of(roofline, one), 3), operation_rate(rate_of(one)),
              operation_rate(roof_over(roofline, one)), share_text(roofline, one) + " %"});
  return row;
}

std::string roofed_text(const RooflineExhibit& roofline, std::size_t point,
                        const Strings& strings) {
  const Run& one = roofline.points[point];
  const std::string name = point_sign(point) + " " + strings(one.name);
  const std::string memory = part_name(axis_memory(roofline), strings);
  switch (missing_of(roofline, one)) {
    case Missing::operations: return strings("roofline.no-operations", {{"name", name}});
    case Missing::bytes: return strings("roofline.no-bytes", {{"name", name}, {"memory", memory}});
    case Missing::time: return strings("roofline.no-time", {{"name", name}});
    case Missing::nothing: break;
  }
  const bool slope = is_below_slope(roofline, one);
  const std::string part =
      one.ceiling < roofline.ceilings.size() ? roofline.ceilings[one.ceiling].part : "fp32";
  return strings(slope ? "roofline.below-slope" : "roofline.below-ceiling",
                 {{"name", name},
                  {"memory", memory},
                  {"intensity", number(intensity_of(roofline, one), 3)},
                  {"part", part_name(part, strings)},
                  {"roof", operation_rate(roof_over(roofline, one))},
                  {"rate", operation_rate(rate_of(one))},
                  {"share", share_text(roofline, one)}});
}

std::string point_text(const RooflineExhibit& roofline, std::size_t point, const Strings& strings) {
  const Run& one = roofline.points[point];
  std::vector<std::string> parts{roofed_text(roofline, point, strings)};
  // Where nothing but the launch or waiting holds a run up, no roof says so.
  const std::string limiter = "estimate.part." + one.limiter;
  if (missing_of(roofline, one) == Missing::nothing && strings.has(limiter))
    parts.push_back(strings("roofline.longest", {{"part", strings(limiter)}}));
  return sentences(strings, parts);
}

std::string roofs_text(const RooflineExhibit& roofline, const Strings& strings) {
  std::vector<std::string> memories, ceilings;
  for (const RooflineExhibit::Roof& memory : roofline.memories)
    memories.push_back(part_name(memory.part, strings) + " " + byte_rate(memory.rate));
  for (const std::uint32_t c : drawn_ceilings(roofline)) {
    ceilings.push_back(
        strings("roofline.ceiling", {{"part", part_name(roofline.ceilings[c].part, strings)},
                                     {"rate", operation_rate(ceiling_rate(roofline, c))},
                                     {"ridge", number(ridge_of(roofline, c), 3)}}));
  }
  memories.insert(memories.end(), ceilings.begin(), ceilings.end());
  return strings("roofline.roofs", {{"gpu", roofline.gpu}, {"roofs", joined(strings, memories)}});
}

}  // namespace warpbook::lab
