// Rows of logits through five versions of softmax: what overflows, what is read how often, and one online pass step by step.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "lab/exhibits/curve/curve_summary.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/sectors/sectors_summary.hpp"
#include "lab/operation/operation.hpp"
#include "lessons/activations/runs.hpp"
#include "lessons/activations/truth.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons::activations {
namespace {

using Series = lab::CurveExhibit::Series;

constexpr std::int64_t kBlock = 128;
constexpr std::size_t kStepsInTable = 8;
/// The versions: slots, which a reader may edit, and rungs of kernels/softmax.
constexpr std::array kSlots{"naive", "safe", "online"};
constexpr std::array kRungs{"warp", "registers"};
constexpr const char *kExponentials = "exponentials.cu", *kRounds = "rounds.cu";

/// Whole numbers 0 to columns - 1, scaled and shifted, in an order that goes up and down; each row begins elsewhere in it.
struct Logits {
  std::int64_t rows, columns;
  std::vector<float> x;

  explicit Logits(lab::Lab& lab) : rows(lab.integer("rows")), columns(lab.integer("columns")) {
    std::int64_t step = 3;
    while (std::gcd(step, columns) != 1) step += 2;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < columns; ++column) {
        const std::int64_t number = ((row + column) * step + 2) % columns;
        x.push_back(static_cast<float>(lab.real("scale") * static_cast<double>(number) +
                                       lab.real("shift")));
      }
    }
  }
  [[nodiscard]] std::span<const float> first_row() const {
    return std::span(x).first(static_cast<std::size_t>(columns));
  }
};

struct Version {
  std::string name;
  std::vector<float> y;
  std::shared_ptr<const device::LaunchRecord> record;
};

/// The reader's version of a slot.
Version run_slot(lab::Lab& lab, const std::string& name, const Logits& logits) {
  const device::Buffer d_x = lab.upload<float>("x", logits.x);
  const device::Buffer d_y = lab.allocate("y", device::ElementType::f32, logits.x.size());
  auto record = launch(lab, lab.compile(name), logits.rows, kBlock,
                       {pointer_argument(d_x), pointer_argument(d_y), number_argument(logits.rows),
                        number_argument(logits.columns)});
  std::vector<float> y = lab.download<float>(d_y);
  return {name, std::move(y), std::move(record)};
}

lab::Operation softmax_operation(lab::Lab& lab) {
  return lab::require(lab::load_operation(lab.context().root, "softmax"));
}

/// A rung of kernels/softmax as it stands.
Version run_rung(lab::Lab& lab, const std::string& name, const Logits& logits) {
  lab::RungArguments arguments;
  arguments.scalars = {{"rows", logits.rows}, {"columns", logits.columns}};
  arguments.inputs["x"] = bytes_of(logits.x);
  const lab::RungResult result = lab::run_rung(lab, softmax_operation(lab), name, arguments);
  return {name, floats_of(result.outputs.at("y")), result.records.front()};
}

struct Counted {
  std::uint64_t loaded = 0, stored = 0;  ///< bytes that lanes asked for
};
Counted counted_of(const device::LaunchRecord& record) {
  Counted all;
  for (const auto& place : lab::sectors_of(record).places)
    (place.kind == device::AccessKind::load ? all.loaded : all.stored) += place.bytes_asked;
  return all;
}

/// 2 for two loads of each element.
double each(std::uint64_t bytes, const Logits& logits) {
  return static_cast<double>(bytes) / (sizeof(float) * static_cast<double>(logits.x.size()));
}

void compare_versions(lab::Lab& lab, const Logits& logits, const std::vector<Version>& versions,
                      const device::Evidence& counted) {
  lab::Message says{
      "activations.versions.sentence",
      {{"rows", lab::grouped(logits.rows)}, {"columns", lab::grouped(logits.columns)}},
      {}};
  using Group = lab::BarsExhibit::Group;
  Group loads{{"activations.versions.loads"}, {}}, stores{{"activations.versions.stores"}, {}},
      sectors{{"activations.versions.sectors"}, {}}, nans{{"activations.versions.nans"}, {}};
  for (const Version& version : versions) {
    const lab::Message name{"activations.version." + version.name};
    const Counted all = counted_of(*version.record);
    const auto per_logit = [&](std::uint64_t bytes) {
      const double times = each(bytes, logits);
      return lab::BarsExhibit::Bar{name, times, lab::number(times, 4)};
    };
    loads.bars.push_back(per_logit(all.loaded));
    stores.bars.push_back(per_logit(all.stored));
    sectors.bars.push_back(count_bar(name, version.record->total.global_sectors));
    const auto is_nan = [](float y) { return std::isnan(y); };
    nans.bars.push_back(
        count_bar(name, static_cast<std::uint64_t>(std::ranges::count_if(version.y, is_nan))));
    says.arguments.emplace_back(version.name + "_loads", loads.bars.back().text);
    says.arguments.emplace_back(version.name + "_sectors", sectors.bars.back().text);
  }
  lab.show({"versions",
            {"activations.versions.title"},
            counted,
            lab::BarsExhibit{
                std::move(says),
                {std::move(loads), std::move(stores), std::move(sectors), std::move(nans)}}});

  // How far the mended one is from the one that overflows, where both gave numbers.
  const std::vector<float>&naive = versions[0].y, &safe = versions[1].y;
  double most = 0;
  std::uint64_t both = 0;
  for (std::size_t i = 0; i < naive.size(); ++i) {
    if (std::isnan(naive[i]) || std::isnan(safe[i])) continue;
    ++both;
    most = std::max(most, std::abs(static_cast<double>(naive[i]) - static_cast<double>(safe[i])));
  }
  lab.show({"same",
            {"activations.same.title"},
            counted,
            lab::TextExhibit{{"activations.same.sentence",
                              {{"count", lab::grouped(both)},
                               {"all", lab::grouped(naive.size())},
                               {"difference", lab::number(most, 2)}}}}});
}

/// expf of each logit of the first row, as the naive version takes it.
void exponentials(lab::Lab& lab, const Logits& logits, const device::Evidence& counted) {
  const std::span<const float> row = logits.first_row();
  const auto n = static_cast<std::int64_t>(row.size());
  const device::Buffer d_x = lab.upload<float>("x", row);
  const device::Buffer d_y = lab.allocate("y", device::ElementType::f32, row.size());
  launch(lab, compile_variant(lab, kExponentials), n, kBlock,
         {pointer_argument(d_x), pointer_argument(d_y), number_argument(n)});
  const std::vector<float> terms = lab.download<float>(d_y);
  std::vector<Series> series(1);
  series[0] = {lab::Message::plain("expf"), tensor_of("expf", terms), {}, 0, 0};
  const auto greatest = std::ranges::max_element(row) - row.begin();
  lab.show({"exponentials",
            {"activations.exponentials.title"},
            counted,
            lab::curve_of({"activations.exponentials.variable"}, tensor_of("x", row), series,
                          static_cast<std::uint64_t>(greatest))});
}

/// What the sums of the first lanes are after each round of shuffles, where lane i of 32 brings the number i.
void rounds(lab::Lab& lab, const device::Evidence& counted) {
  constexpr std::uint64_t kRows = 6, kShown = 4;  // what the lanes bring, and five rounds
  const device::Buffer d_sums =
      lab.allocate("sums", device::ElementType::f32, kRows * device::kLanes);
  launch(lab, compile_variant(lab, kRounds), device::kLanes, device::kLanes,
         {pointer_argument(d_sums)});
  const std::vector<float> all = lab.download<float>(d_sums);
  std::vector<float> shown;
  for (std::uint64_t row = 0; row < kRows; ++row)
    shown.insert(shown.end(), all.begin() + static_cast<std::ptrdiff_t>(row * device::kLanes),
                 all.begin() + static_cast<std::ptrdiff_t>(row * device::kLanes + kShown));
  lab.show(
      {"rounds", {"activations.rounds.title"}, counted, tensor_of("mine", shown, {kRows, kShown})});
}

/// What the online pass over the first row knows after each logit.
void steps(lab::Lab& lab, const Logits& logits, const device::Evidence& counted) {
  const std::span<const float> row = logits.first_row();
  const auto module = lab.compile("online-steps");
  const device::Buffer d_x = lab.upload<float>("x", row);
  const device::Buffer d_maxima = lab.allocate("maxima", device::ElementType::f32, row.size());
  const device::Buffer d_sums = lab.allocate("sums", device::ElementType::f32, row.size());
  launch(lab, module, 1, 32,
         {pointer_argument(d_x), pointer_argument(d_maxima), pointer_argument(d_sums),
          number_argument(logits.columns)});
  std::vector<float> number;
  for (std::int64_t i = 1; i <= logits.columns; ++i) number.push_back(static_cast<float>(i));
  const std::vector<float> maxima = lab.download<float>(d_maxima),
                           sums = lab.download<float>(d_sums);
  std::string table;
  for (std::size_t i = 0; i < std::min<std::size_t>(row.size(), kStepsInTable); ++i)
    table += fmt::format("{:>7}{:>9}{:>9}\n", lab::number(row[i], 4), lab::number(maxima[i], 4),
                         lab::number(sums[i], 5));
  lab.show({"steps-table",
            {"activations.steps-table.title"},
            counted,
            lab::TextExhibit{{"activations.steps-table.table", {{"rows", table}}}, true}});
  std::vector<Series> series(3);
  series[0] = {{"activations.steps.maximum"}, tensor_of("maximum", maxima), {}, 0, 0};
  series[1] = {{"activations.steps.sum"}, tensor_of("sum", sums), {}, 0, 0};
  series[2] = {{"activations.steps.logit"}, tensor_of("x", row), {}, 0, 0};
  lab.show({"steps",
            {"activations.steps.title"},
            counted,
            lab::curve_of({"activations.steps.variable"}, tensor_of("step", number),
                          std::move(series), static_cast<std::uint64_t>(logits.columns - 1))});
}

}  // namespace

void softmax(lab::Lab& lab, const device::Evidence& counted) {
  const Logits logits(lab);
  std::vector<Version> versions(kSlots.size() + kRungs.size());
  std::vector<lab::Lab::Part> parts;
  for (std::size_t i = 0; i < kSlots.size(); ++i)
    parts.emplace_back([&, i](lab::Lab& part) { versions[i] = run_slot(part, kSlots[i], logits); });
  for (std::size_t i = 0; i < kRungs.size(); ++i)
    parts.emplace_back([&, i](lab::Lab& part) {
      versions[kSlots.size() + i] = run_rung(part, kRungs[i], logits);
    });
  lab.side_by_side(parts);

  std::vector<double> truth;
  const auto columns = static_cast<std::size_t>(logits.columns);
  for (std::size_t begin = 0; begin < logits.x.size(); begin += columns) {
    const auto row = softmax_of(std::span(logits.x).subspan(begin, columns));
    truth.insert(truth.end(), row.begin(), row.end());
  }
  const Version& chosen = *std::ranges::find(versions, lab.choice("softmax"), &Version::name);
  lab::TensorExhibit y =
      tensor_of("y", chosen.y,
                {static_cast<std::uint64_t>(logits.rows), static_cast<std::uint64_t>(columns)});
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (!agrees(static_cast<double>(chosen.y[i]), truth[i])) y.wrong.push_back(i);
  }
  lab.show({"softmax", {"activations.softmax", {{"version", chosen.name}}}, counted, std::move(y)});
  lab.show({"softmax-check",
            {"activations.check.softmax"},
            counted,
            check_close(*chosen.record, chosen.y, truth)});
  lab.side_by_side({[&](lab::Lab& part) { exponentials(part, logits, counted); },
                    [&](lab::Lab& part) { compare_versions(part, logits, versions, counted); },
                    [&](lab::Lab& part) { steps(part, logits, counted); },
                    [&](lab::Lab& part) { rounds(part, counted); }});
}

void compile_softmax_soon(lab::Lab& lab) {
  for (const char* slot : kSlots) lab.compile_soon(lab.request_of_slot(slot));
  const lab::Operation operation = softmax_operation(lab);
  for (const char* rung : kRungs) lab::compile_rung_soon(lab, lab::rung_named(operation, rung), {});
  lab.compile_soon(request_of_variant(lab, kExponentials));
  lab.compile_soon(lab.request_of_slot("online-steps"));
  lab.compile_soon(request_of_variant(lab, kRounds));
}

}  // namespace warpbook::lessons::activations
