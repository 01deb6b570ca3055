#include "lab/book/earlier_runs.hpp"

#include <algorithm>
#include <optional>

namespace warpbook::lab {
namespace {

using Origin = ParetoExhibit::Origin;

/// The reader's kernel in a chart; nothing where the chart has none, or remembers none.
std::optional<EarlierRun> run_in(const ParetoExhibit& chart, const Report& report) {
  const auto yours = std::ranges::find(chart.points, Origin::yours, &ParetoExhibit::Point::origin);
  const auto source = report.inputs.sources.find(chart.slot);
  if (yours == chart.points.end() || source == report.inputs.sources.end()) return {};
  return EarlierRun{chart.setting, chart.slot,     source->second,      yours->seconds, yours->low,
                    yours->high,   yours->sectors, yours->instructions, yours->memory};
}

bool have_same_figures(EarlierRun a, const EarlierRun& b) {
  a.source = b.source;
  return a == b;
}

ParetoExhibit::Point point_of(const EarlierRun& run, std::uint64_t number) {
  return {{"pareto.earlier", {{"number", number}}},
          Origin::earlier,
          number,
          run.seconds,
          run.low,
          run.high,
          run.sectors,
          run.instructions,
          run.memory};
}

void add_earlier(ParetoExhibit& chart, const Report& report, const EarlierRuns& runs) {
  const std::optional<EarlierRun> now = run_in(chart, report);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].setting != chart.setting || runs[i].slot != chart.slot) continue;
    if (now && have_same_figures(*now, runs[i])) continue;
    chart.points.push_back(point_of(runs[i], i + 1));
  }
}

}  // namespace

bool remember(EarlierRuns& runs, const Report& report) {
  bool news = false;
  for (const Exhibit& exhibit : report.exhibits) {
    const auto* chart = std::get_if<ParetoExhibit>(&exhibit.value);
    if (!chart || chart->slot.empty()) continue;
    std::optional<EarlierRun> now = run_in(*chart, report);
    if (!now) continue;
    const auto same = std::ranges::find_if(
        runs, [&](const EarlierRun& run) { return have_same_figures(*now, run); });
    if (same != runs.end() && same->source == now->source) continue;
    if (same != runs.end())
      same->source = std::move(now->source);
    else
      runs.push_back(std::move(*now));
    if (runs.size() > kMostEarlierRuns) runs.erase(runs.begin());
    news = true;
  }
  return news;
}

std::shared_ptr<const Report> with_earlier_runs(std::shared_ptr<const Report> report,
                                                const EarlierRuns& runs) {
  if (!report || runs.empty()) return report;
  const auto is_chart = [](const Exhibit& exhibit) {
    const auto* chart = std::get_if<ParetoExhibit>(&exhibit.value);
    return chart && !chart->slot.empty();
  };
  if (std::ranges::none_of(report->exhibits, is_chart)) return report;
  auto whole = std::make_shared<Report>(*report);
  for (Exhibit& exhibit : whole->exhibits) {
    if (is_chart(exhibit)) add_earlier(std::get<ParetoExhibit>(exhibit.value), *report, runs);
  }
  return whole;
}

}  // namespace warpbook::lab
