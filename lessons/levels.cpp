#include "lessons/levels.hpp"

#include <algorithm>
#include <cmath>

#include "device/sectors.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons {
namespace {

/// Seconds that one part of the GPU would need for the launch by itself; 0 where it has nothing to do.
double seconds_of_part(const device::Estimate& estimate, std::string_view part) {
  const auto bound = std::ranges::find(estimate.bounds, part, &device::EstimateBound::name);
  return bound != estimate.bounds.end() ? bound->seconds : 0;
}

/// Of the whole grid, where perhaps only some blocks ran and were counted.
double of_all_blocks(const device::Estimate& estimate, std::uint64_t count) {
  if (estimate.blocks_run == 0) return 0;
  return static_cast<double>(count) * static_cast<double>(estimate.blocks) /
         static_cast<double>(estimate.blocks_run);
}

}  // namespace

std::string ratio(double many, double few) {
  return few > 0 && std::isfinite(many / few) ? lab::number(many / few, 3) : "";
}

void show_levels(lab::Lab& lab, const std::string& words, const std::string& id,
                 const device::LaunchRecord& a, const device::LaunchRecord& b,
                 const std::vector<std::string>& shown) {
  if (!a.estimate || !b.estimate) return;
  const lab::Message name_a{words + id + ".a"}, name_b{words + id + ".b"};
  lab::BarsExhibit bars{{words + id + ".says"}, {}};
  const auto add = [&](const std::string& name, double first, double second, const auto& text) {
    const std::string one = text(first), two = text(second), times = ratio(first, second);
    bars.says.arguments.emplace_back("a_" + name, one);
    bars.says.arguments.emplace_back("b_" + name, two);
    bars.says.arguments.emplace_back(name + "_ratio", times);
    if (std::ranges::find(shown, name) == shown.end()) return;
    const lab::Message what{"run.levels." + name};
    lab::Message meaning =
        times.empty() ? what : lab::Message{"run.levels.ratio", {{"what", what}, {"ratio", times}}};
    bars.groups.push_back({std::move(meaning), {{name_a, first, one}, {name_b, second, two}}});
  };
  const auto bytes = [](double value) {
    return lab::byte_count(static_cast<std::uint64_t>(std::llround(value)));
  };
  const device::Estimate &one = *a.estimate, &two = *b.estimate;
  const auto moved = [](const device::LaunchRecord& record) {
    return of_all_blocks(*record.estimate, device::kSectorBytes * record.total.global_sectors);
  };
  add("l1", moved(a), moved(b), bytes);
  add("l2", one.l2_bytes, two.l2_bytes, bytes);
  add("dram", one.dram_bytes, two.dram_bytes, bytes);
  add("time", one.seconds, two.seconds, lab::duration);
  for (const std::string part : {"l1", "l2", "dram"})
    add(part + "_time", seconds_of_part(one, part), seconds_of_part(two, part), lab::duration);
  add("low", one.low, two.low, lab::duration);
  add("high", one.high, two.high, lab::duration);
  bars.says.arguments.emplace_back("hits", lab::number(100 * one.l1_hits, 3));
  lab.show({id, {words + id + ".title"}, one.time, std::move(bars)});
}

std::vector<lab::LiveFigure> level_figures(const std::string& id, const std::string& a,
                                           const std::string& b) {
  std::vector<lab::LiveFigure> figures;
  for (const std::string name :
       {"l1", "l2", "dram", "l1_time", "l2_time", "dram_time", "time", "low", "high"}) {
    std::string shown = name;
    std::ranges::replace(shown, '_', '-');
    const auto cell = [id](const std::string& of) {
      return [id, of](const lab::Report& r) { return text_argument(r, id, of); };
    };
    figures.push_back({a + "-" + shown, cell("a_" + name)});
    figures.push_back({b + "-" + shown, cell("b_" + name)});
    figures.push_back({id + "-" + shown + "-ratio", cell(name + "_ratio")});
  }
  return figures;
}

}  // namespace warpbook::lessons
