#include "lessons/reduction/runs.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lab/exhibits/exhibit.hpp"
#include "lab/ladder/ladder.hpp"
#include "lab/operation/operation.hpp"
#include "lessons/common.hpp"
#include "lessons/replay.hpp"

namespace warpbook::lessons::reduction {
namespace {

using Record = std::shared_ptr<const device::LaunchRecord>;

constexpr std::uint64_t kEstimatedBlocks =
    264;  ///< of a launch for the country that run: two on each multiprocessor of an H200
/// Accesses: so many that the first block is traced whole.
constexpr std::uint32_t kTraced = 1u << 15;

/// What households use on a day, in kWh. Quarters, so that every order of additions gives the same sum.
std::vector<float> uses(std::int64_t n) {
  std::vector<float> made;
  for (std::int64_t i = 0; i < n; ++i) made.push_back(4 + static_cast<float>(i * 37 % 41) / 4);
  return made;
}

double total_of(const std::vector<float>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }

// The district.

/// The reader's kernel, and what every launch of it needs.
struct District {
  std::vector<float> x;
  device::Buffer d_x, d_total;
  Replayed replayed;

  District(lab::Lab& lab, const std::shared_ptr<const device::Module>& module, std::int64_t n)
      : x(uses(n)),
        d_x(lab.upload<float>("x", x)),
        d_total(lab.allocate("total", device::ElementType::f32, 1)) {
    replayed.file = "sum.cu";
    replayed.source = lab.source("sum");
    replayed.launch =
        launch_of(module, "", n, lab.integer("block"),
                  {pointer_argument(d_x), pointer_argument(d_total), number_argument(n)});
    replayed.array = &d_total;
    replayed.truth = tensor_of("total", std::vector{static_cast<float>(total_of(x))});
    replayed.prepare = [&lab, this] { lab.fill(d_total, std::byte{0}); };
  }
  District(const District&) = delete;
  District& operator=(const District&) = delete;
};

/// What a block and its warps did, in figures.
void show_cost(lab::Lab& lab, const device::LaunchRecord& record, const device::Evidence& counted) {
  const std::uint64_t warps = warps_of(record);
  const auto mean = [&](std::uint64_t count) {
    return static_cast<double>(count) / static_cast<double>(warps);
  };
  const auto each = [&](std::uint64_t count) { return lab::number(mean(count), 3); };
  const auto bar = [&](const char* label, std::uint64_t count) {
    return lab::BarsExhibit::Bar{{label}, mean(count), each(count)};
  };
  const device::Counters& total = record.total;
  lab.show({"cost",
            {"reduction.cost.title"},
            counted,
            lab::BarsExhibit{{"reduction.cost.sentence",
                              {{"blocks", lab::grouped(record.grid.count())},
                               {"barriers", each(total.barriers)},
                               {"shuffles", each(total.shuffles)},
                               {"instructions", each(total.warp_instructions)},
                               {"atomics", lab::grouped(total.atomics)}}},
                             {{{"reduction.cost.each"},
                               {bar("reduction.cost.instructions", total.warp_instructions),
                                bar("reduction.cost.shuffles", total.shuffles),
                                bar("reduction.cost.barriers", total.barriers)}}}}});
}

/// One block's households under schedule after schedule.
void show_ways(lab::Lab& lab, const std::shared_ptr<const device::Module>& module,
               const device::Evidence& counted) {
  const District one(lab, module, lab.integer("block"));
  const Record record = run_beside(lab, one.replayed, 0);
  lab::SchedulesExhibit ways = replay(lab, one.replayed, *record, 0);
  lab.show({"ways", {"reduction.ways"}, counted, std::move(ways)});
}

// Lanes that hand on their values.

constexpr std::size_t kHeldRows = 6;  ///< before the first shuffle, and after each of five

constexpr std::array<std::size_t, 5> kShownLanes{0, 1, 2, 16, 31};

/// What some of the lanes hold, a line a shuffle; and how many of all hold the whole sum at the end.
lab::Message lanes_table(const std::vector<float>& held) {
  std::string head;
  for (const std::size_t lane : kShownLanes) head += fmt::format("{:>6}", lane);
  std::vector<lab::Message> lines{{"reduction.lanes.head", {{"figures", head}}, {}}};
  for (std::size_t row = 0; row < kHeldRows; ++row) {
    std::string figures;
    for (const std::size_t lane : kShownLanes)
      figures += fmt::format("{:>6}", held[row * device::kLanes + lane]);
    lines.push_back({row == 0 ? "reduction.lanes.first" : "reduction.lanes.row",
                     {{"figures", figures}, {"step", fmt::format("{:>2}", device::kLanes >> row)}},
                     {}});
  }
  const float sum = std::accumulate(held.begin(), held.begin() + device::kLanes, 0.0f);
  const auto whole =
      static_cast<std::uint64_t>(std::count(held.end() - device::kLanes, held.end(), sum));
  return {"reduction.lanes.table",
          {{"lines", lab::Message::list_of("list.lines", std::move(lines))},
           {"whole", lab::grouped(whole)}},
          {}};
}

// The country.

std::map<std::string, std::int64_t> scalars_of_country(lab::Lab& lab) {
  return {{"n", kCountry}, {"BLOCKS", kCountry / (kBookBlock * lab.integer("items"))}};
}

/// Its households, of which no kernel asks what they used: that decides no time.
class Country {
 public:
  explicit Country(lab::Lab& lab)
      : lab_(lab),
        d_x_(lab.allocate("x", device::ElementType::f32, kCountry)),
        d_out_(lab.allocate("out", device::ElementType::f32, 1)),
        d_partial_(lab.allocate("partial", device::ElementType::f32, kCountry / kBookBlock)) {
    for (const device::Buffer* each : {&d_x_, &d_out_, &d_partial_}) lab.fill(*each, std::byte{0});
  }

  /// All launches of a rung; of each, some blocks run.
  std::vector<Record> run(const lab::Operation& operation, const lab::Rung& rung) const {
    const auto scalars = scalars_of_country(lab_);
    const auto names = lab::names_of(rung, scalars);
    const auto module = lab::compile_rung(lab_, rung, scalars, true);
    std::vector<Record> records;
    for (const lab::RungLaunch& each : rung.launches) {
      device::Launch launch;
      launch.module = module;
      launch.kernel = each.kernel;
      launch.grid.x = extent(each.grid, names);
      launch.block.x = extent(each.block, names);
      launch.arguments = arguments(operation, each, names);
      launch.observe.trace_accesses = 0;
      launch.estimate.blocks = kEstimatedBlocks;
      launch.budget.seconds = kPatience;
      records.push_back(lab_.launch(std::move(launch)));
    }
    return records;
  }

 private:
  using Names = std::map<std::string, std::int64_t>;

  static std::uint32_t extent(const std::string& expression, const Names& names) {
    return static_cast<std::uint32_t>(lab::require(lab::evaluate(expression, names)));
  }

  [[nodiscard]] std::vector<device::Argument> arguments(const lab::Operation& operation,
                                                        const lab::RungLaunch& launch,
                                                        const Names& names) const {
    const std::map<std::string, const device::Buffer*> buffers{
        {"x", &d_x_}, {"out", &d_out_}, {"partial", &d_partial_}};
    std::vector<std::string> wanted = launch.arguments;
    if (wanted.empty()) {
      for (const auto& parameter : operation.parameters) wanted.push_back(parameter.name);
    }
    std::vector<device::Argument> made;
    for (const std::string& name : wanted) {
      const auto buffer = buffers.find(name);
      made.push_back(buffer != buffers.end() ? pointer_argument(*buffer->second)
                                             : number_argument(names.at(name)));
    }
    return made;
  }

  lab::Lab& lab_;
  device::Buffer d_x_, d_out_, d_partial_;
};

/// The rung's bars: what the whole launch would count, from the blocks that ran.
std::vector<lab::BarsExhibit::Bar> bars_of(const lab::Rung& rung,
                                           const std::vector<Record>& records,
                                           const lab::LadderTime& time) {
  double instructions = 0, barriers = 0, atomics = 0;
  for (const Record& record : records) {
    const double whole = static_cast<double>(record->estimate->blocks) /
                         static_cast<double>(record->estimate->blocks_run);
    instructions += whole * static_cast<double>(record->total.warp_instructions);
    barriers += whole * static_cast<double>(record->total.barriers);
    atomics += whole * static_cast<double>(record->total.atomics);
  }
  const lab::Message name{"reduction.ladder.version",
                          {{"number", fmt::format("{:02}", rung.number)},
                           {"name", lab::Message{"reduction.rung." + rung.name}}}};
  const auto per_thousand = [&](double count) {
    const double value = 1000 * count / static_cast<double>(kCountry);
    return lab::BarsExhibit::Bar{name, value, lab::number(value, 3)};
  };
  return {per_thousand(instructions),
          per_thousand(barriers),
          count_bar(name, static_cast<std::uint64_t>(atomics)),
          {name, time.seconds, lab::duration(time.seconds)}};
}

lab::Operation reduction_of(lab::Lab& lab) {
  return lab::require(lab::load_operation(lab.context().root, "reduction"));
}

}  // namespace

void compile_soon(lab::Lab& lab) {
  lab.compile_soon(lab.request_of_slot("exchange"));
  for (const lab::Rung& rung : reduction_of(lab).rungs)
    lab::compile_rung_soon(lab, rung, scalars_of_country(lab), true);
  compile_numbers_soon(lab);
}

lab::Message district(lab::Lab& lab, const device::Evidence& counted) {
  const auto module = lab.compile("sum");
  const District whole(lab, module, lab.integer("n"));
  whole.replayed.prepare();
  device::Launch launch = whole.replayed.launch;
  launch.observe.trace_accesses = kTraced;
  const auto record = lab.launch(std::move(launch));
  const std::vector<float> total = lab.download<float>(whole.d_total),
                           truth{static_cast<float>(total_of(whole.x))};
  lab::Message calls = host_calls(lab.device());

  lab::WantedTree wanted;
  wanted.places = static_cast<std::uint32_t>(lab.integer("block"));
  lab.show({"tree", {"reduction.tree"}, counted, lab::tree_of(*record, wanted)});
  const auto text = [](float value) { return lab::number(value, 9); };
  lab.show({"check",
            {"reduction.check.title"},
            counted,
            check_of("reduction.check.", *record, total, truth, std::equal_to{}, text)});
  show_cost(lab, *record, counted);
  lab.show({"time", {"run.time.title"}, std::nullopt, times_of(lab, *record)});
  show_ways(lab, module, counted);
  return calls;
}

void exchanges(lab::Lab& lab, const device::Evidence& counted) {
  std::vector<float> x(device::kLanes);
  std::iota(x.begin(), x.end(), 1.0f);
  const auto module = lab.compile("exchange");
  const device::Buffer d_x = lab.upload<float>("x", x);
  for (const std::string kernel : {"down", "butterfly"}) {
    const device::Buffer d_held =
        lab.allocate("held", device::ElementType::f32, kHeldRows * device::kLanes);
    lab.fill(d_held, std::byte{0});
    lab.launch(launch_of(module, kernel, device::kLanes, device::kLanes,
                         {pointer_argument(d_x), pointer_argument(d_held)}));
    const std::vector<float> held = lab.download<float>(d_held);
    lab.show({kernel,
              {"reduction.lanes." + kernel},
              counted,
              lab::TextExhibit{lanes_table(held), true}});
  }
}

void ladder(lab::Lab& lab, const device::Evidence& counted) {
  const lab::Operation operation = reduction_of(lab);
  const Country country(lab);
  std::vector<std::vector<lab::BarsExhibit::Bar>> bars;
  std::vector<lab::Message> limiters;
  lab::MessageArguments figures;
  device::Evidence evidence = counted;
  for (const lab::Rung& rung : operation.rungs) {
    const std::vector<Record> records = country.run(operation, rung);
    const auto time = lab::estimate_of(records);
    if (!time) return;  // a real GPU runs the whole country, and nothing counts there
    evidence = time->evidence;
    bars.push_back(bars_of(rung, records, *time));
    limiters.push_back({"reduction.ladder.limiter",
                        {{"number", fmt::format("{:02}", rung.number)},
                         {"part", lab::Message{"estimate.part." + time->limiter}}}});
    figures.emplace_back(rung.name + "_time", lab::duration(time->seconds));
    figures.emplace_back(rung.name + "_seconds", fmt::format("{}", time->seconds));
    figures.emplace_back(rung.name + "_limiter", time->limiter);
  }
  figures.emplace_back("items", lab::grouped(static_cast<std::uint64_t>(lab.integer("items"))));
  figures.emplace_back("limiters", lab::Message::list_of("list.separator", std::move(limiters)));
  show_side_by_side(lab, "reduction.", "ladder", evidence,
                    {"instructions", "barriers", "atomics", "time"}, bars, std::move(figures));
}

}  // namespace warpbook::lessons::reduction
