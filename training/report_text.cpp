#include <algorithm>

#include <fmt/format.h>

#include "lab/markup/terminal.hpp"
#include "lab/markup/text_parts.hpp"
#include "training/report.hpp"

namespace warpbook::training {
namespace {

using lab::figure;
using lab::Page;
using lab::Strings;
using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kMostPoints = 12, kMostTensors = 8;
constexpr int kLossDigits = 5;

std::string per_cent(double fraction) { return fmt::format("{:.1f} %", 100 * fraction); }

/// `names` in the reader's language, as a head.
std::vector<std::string> head_of(const Strings& strings, const std::vector<const char*>& names) {
  std::vector<std::string> head;
  for (const char* name : names) head.push_back(strings("training.column." + std::string(name)));
  return head;
}

void put_curve(const TrainingReport& report, const Strings& strings, Page& page) {
  const std::vector<CurvePoint>& curve = report.curve;
  if (curve.empty()) return;
  page.paragraph(strings("training.loss",
                         {{"first", curve.front().step + 1},
                          {"before", figure(curve.front().loss, kLossDigits)},
                          {"last", curve.back().step + 1},
                          {"after", figure(curve.back().loss, kLossDigits)}}));
  if (report.held_out)
    page.paragraph(strings("training.held-out", {{"training", per_cent(*report.training)},
                                                 {"accuracy", per_cent(*report.held_out)}}));
  page.line();
  const bool classifies = curve.front().accuracy.has_value(),
             holds_out = curve.front().held_out.has_value();
  std::vector names{"step", "loss"};
  if (classifies) names.push_back("accuracy");
  if (holds_out) names.push_back("held-out");
  Rows rows{head_of(strings, names)};
  const std::size_t every = (curve.size() + kMostPoints - 1) / kMostPoints;
  for (std::size_t i = 0; i < curve.size(); i += every) {
    rows.push_back({lab::grouped(curve[i].step), figure(curve[i].loss, kLossDigits)});
    if (classifies) rows.back().push_back(per_cent(curve[i].accuracy.value_or(0)));
    if (holds_out) rows.back().push_back(per_cent(curve[i].held_out.value_or(0)));
  }
  lab::text_rows(rows, page);
}

std::string estimate_text(const OperationCost& cost, const Strings& strings) {
  if (cost.seconds == 0) return strings("training.no-estimate");
  return lab::duration(cost.seconds) + " (" + lab::duration(cost.low) + " – " +
         lab::duration(cost.high) + ")";
}

void put_costs(const TrainingReport& report, const Strings& strings, Page& page) {
  if (report.operations.empty()) return;
  // A kernel that ran has issued something, so where there is nothing, nothing was counted.
  const bool counted = std::ranges::any_of(
      report.operations, [](const OperationCost& cost) { return cost.warp_instructions != 0; });
  page.line();
  page.paragraph(strings(counted ? "training.costs" : "training.costs-uncounted"));
  std::vector<const char*> columns{"layer", "pass", "operation", "launches"};
  if (counted) columns.insert(columns.end(), {"instructions", "bytes", "estimate"});
  Rows rows{head_of(strings, columns)};
  for (const OperationCost& cost : report.operations) {
    rows.push_back({cost.layer.empty() ? strings("training.network") : cost.layer,
                    strings("training.pass." + std::string(device::name_of(cost.pass))),
                    cost.operation, lab::grouped(cost.launches)});
    if (!counted) continue;
    rows.back().push_back(lab::grouped(cost.warp_instructions));
    rows.back().push_back(lab::byte_count(cost.bytes));
    rows.back().push_back(estimate_text(cost, strings));
  }
  lab::text_rows(rows, page);
}

void put_memory(const TrainingReport& report, const Strings& strings, Page& page) {
  std::vector<Lifetime> largest = report.memory.lifetimes;
  if (largest.empty()) return;
  page.line();
  page.paragraph(strings("training.memory", {{"peak", lab::byte_count(report.memory.peak_bytes)},
                                             {"held", lab::byte_count(report.memory.held_bytes)}}));
  page.paragraph(strings("training.memory-of"));
  std::ranges::stable_sort(largest, std::ranges::greater(), &Lifetime::bytes);
  largest.resize(std::min(largest.size(), kMostTensors));
  Rows rows{head_of(strings, {"tensor", "bytes", "begin", "end"})};
  for (const Lifetime& life : largest) {
    rows.push_back({life.name, lab::byte_count(life.bytes), lab::grouped(life.begin),
                    lab::grouped(life.end)});
  }
  lab::text_rows(rows, page, 0);
}

}  // namespace

std::string to_text(const TrainingReport& report, const Strings& strings, int width, bool colour) {
  Page page(width, colour);
  page.line(page.ink(lab::Ink::strong, strings("training.head", {{"preset", report.preset},
                                                                 {"device", report.device},
                                                                 {"seed", report.seed},
                                                                 {"steps", report.steps}})));
  put_curve(report, strings, page);
  put_costs(report, strings, page);
  put_memory(report, strings, page);
  return page.take();
}

std::string point_text(const CurvePoint& point, const Strings& strings) {
  device::MessageArguments arguments{{"step", point.step},
                                     {"loss", figure(point.loss, kLossDigits)}};
  if (!point.accuracy) return strings("training.point", arguments);
  arguments.emplace_back("accuracy", per_cent(*point.accuracy));
  if (!point.held_out) return strings("training.point-accuracy", arguments);
  arguments.emplace_back("held_out", per_cent(*point.held_out));
  return strings("training.point-held-out", arguments);
}

}  // namespace warpbook::training
