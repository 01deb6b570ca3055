#include "lessons/profiling/runs.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "lab/exhibits/exhibit.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons::profiling {
namespace {

using Defines = std::vector<std::pair<std::string, std::string>>;
using Module = std::shared_ptr<const device::Module>;
using Record = std::shared_ptr<const device::LaunchRecord>;

constexpr std::int64_t kCheckedRows = 3;
/// Of the whole table, so many blocks run: they fill two multiprocessors.
constexpr std::int64_t kEstimatedBlocks = 16, kDraftBlocks = 2;
/// Where each thread has a row, blocks are long: fewer of them run, with at most so many readings.
constexpr std::int64_t kReadings = 1 << 20;

std::string text_of(std::int64_t number) { return std::to_string(number); }

Defines defines_of(const Table& table) {
  constexpr std::int64_t kVector = 4;
  const std::int64_t vectors = table.hours / kVector;
  return {{"KEPT", text_of((vectors + kThreads - 1) / kThreads)}};
}

std::string variant(lab::Lab& lab, const std::string& name) {
  return lab::require(
      lab::read_source_file(lab.context().root, "lessons/profiling/variants/" + name + ".cu"));
}

Module compile_variant(lab::Lab& lab, const std::string& name, Defines defines = {}) {
  return lab.compile_source(name + ".cu", variant(lab, name), std::move(defines));
}

/// Tenths of a degree, whole numbers, so that sums are exact in any order: a warm and a cold half of the year, days and nights.
float reading(std::int64_t row, std::int64_t hour) {
  constexpr std::int64_t kDay = 24;
  const std::int64_t season = std::abs(hour % kYear - kYear / 2) * 200 / (kYear / 2);
  const std::int64_t day = std::abs(hour % kDay - kDay / 2) * 80 / (kDay / 2);
  return static_cast<float>(250 - season - day + hour * 37 % 11 + 30 * row);
}

std::vector<float> readings(std::int64_t rows, std::int64_t hours) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(rows * hours));
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t h = 0; h < hours; ++h) values.push_back(reading(r, h));
  return values;
}

/// Each reading less the mean of its row.
std::vector<float> anomalies(const std::vector<float>& x, std::int64_t hours) {
  std::vector<float> out;
  out.reserve(x.size());
  for (std::size_t first = 0; first < x.size(); first += static_cast<std::size_t>(hours)) {
    const std::span row(x.data() + first, static_cast<std::size_t>(hours));
    double sum = 0;
    for (const float value : row) sum += value;
    const float mean = static_cast<float>(sum) / static_cast<float>(hours);
    for (const float value : row) out.push_back(value - mean);
  }
  return out;
}

std::uint64_t readings_of(const Table& table) {
  return static_cast<std::uint64_t>(table.rows * table.hours);
}

std::int64_t threads_of(Owner owner) {
  return owner == Owner::thread ? 1 : owner == Owner::warp ? 32 : kThreads;
}

device::Launch launch_of_table(const Module& module, Owner owner, std::int64_t rows,
                               const Table& table, const device::Buffer& x,
                               const device::Buffer& out) {
  const std::int64_t block = owner == Owner::thread ? table.block : kThreads;
  return launch_of(module, "", rows * threads_of(owner), block,
                   {pointer_argument(x), pointer_argument(out), number_argument(rows),
                    number_argument(table.hours)});
}

/// On a few rows: right or not. Gives back the launch.
Record check_version(lab::Lab& lab, const Table& table, const Version& version,
                     const Module& module, const device::Evidence& counted) {
  const std::vector<float> x = readings(kCheckedRows, table.hours);
  const device::Buffer d_x = lab.upload<float>("x", x),
                       d_out = lab.allocate("out", device::ElementType::f32, x.size());
  device::Launch launch = launch_of_table(module, version.owner, kCheckedRows, table, d_x, d_out);
  launch.observe.trace_accesses = 0;
  const Record record = lab.launch(std::move(launch));
  const std::vector<float> out = lab.download<float>(d_out);
  lab.show(
      {version.name + "-check",
       {"profiling.check.title", {{"version", lab::Message{"profiling.version." + version.name}}}},
       counted,
       check_of("profiling.check.", *record, out, anomalies(x, table.hours))});
  return record;
}

}  // namespace

Table::Table(lab::Lab& lab) : block(std::stoll(lab.choice("block"))) {
  constexpr std::int64_t kDay = 24, kPentad = 5 * kDay;
  const std::string& over = lab.choice("over");
  hours = over == "day" ? kDay : over == "pentad" ? kPentad : kYear;
  rows = lab.integer("stations") * (kYear / hours);
}

const std::vector<Version>& versions() {
  static const std::vector<Version> all{
      {"thread", Owner::thread, true}, {"turns", Owner::block, true}, {"shuffles", Owner::block},
      {"wide", Owner::block, true},    {"kept", Owner::block, true},  {"warp", Owner::warp}};
  return all;
}

WholeTable::WholeTable(lab::Lab& lab, const Table& table)
    : lab_(lab),
      table_(table),
      draft_(lab.leaves_out()),
      x_(lab.allocate("x", device::ElementType::f32, readings_of(table))),
      out_(lab.allocate("out", device::ElementType::f32, readings_of(table))) {}

Record WholeTable::launch(device::Launch launch, std::int64_t blocks,
                          lab::Checking checking) const {
  launch.observe.trace_accesses = 0;
  const std::int64_t most = draft_ ? kDraftBlocks : kEstimatedBlocks;
  launch.estimate = {true, static_cast<std::uint64_t>(std::clamp<std::int64_t>(blocks, 1, most))};
  if (!draft_) return lab_.launch(std::move(launch), lab::Printing::shown, checking);
  // A draft asks for a time alone: the whole run, which follows, checks these kernels.
  static_cast<device::Checks&>(launch.observe) = {.memcheck = false, .initcheck = false};
  launch.stop = lab_.context().stop;
  return lab::require(lab_.device().launch(std::move(launch)).wait());
}

Record WholeTable::run(const Module& module, Owner owner, lab::Checking checking) const {
  // Only a check for what was never written asks whether anybody wrote the readings.
  if (checking == lab::Checking::whole) lab_.fill(x_, std::byte{0});
  device::Launch launch = launch_of_table(module, owner, table_.rows, table_, x_, out_);
  const std::int64_t rows = static_cast<std::int64_t>(launch.block.count()) / threads_of(owner);
  return this->launch(std::move(launch),
                      owner == Owner::thread ? kReadings / (rows * table_.hours) : kEstimatedBlocks,
                      checking);
}

Record WholeTable::run_by_hour() const {
  return run(compile_variant(lab_, "by_hour"), Owner::thread, lab::Checking::accesses);
}

Record WholeTable::run_day_before() const {
  device::Launch launch =
      launch_of(compile_variant(lab_, "day_before"), "", kYear, kThreads,
                {pointer_argument(x_), pointer_argument(out_), number_argument(kYear)});
  launch.grid.y = static_cast<std::uint32_t>(lab_.integer("stations"));
  return this->launch(std::move(launch), kEstimatedBlocks, lab::Checking::accesses);
}

void compile_versions_soon(lab::Lab& lab, const Table& table) {
  for (const Version& version : versions()) {
    const std::string source =
        version.edited ? lab.source(version.name) : variant(lab, version.name);
    lab.compile_soon(lab.request_of(version.name + ".cu", source, defines_of(table)));
  }
  for (const std::string name : {"by_hour", "day_before"})
    lab.compile_soon(lab.request_of(name + ".cu", variant(lab, name)));
}

Ran run_version(lab::Lab& lab, const Table& table, const Version& version,
                const device::Evidence& counted) {
  const WholeTable whole(lab, table);
  const Defines defines = defines_of(table);
  Module module;
  // A version of ours is checked for everything in the book's tests; a reader's, in the few rows. Where something is wrong with that,
  // its lines are to show all of it.
  lab::Checking checking = lab::Checking::accesses;
  if (version.edited) {
    // The source's costs are to be those of the whole table alone, so the few rows run from a module of their own.
    module = lab.compile(version.name, defines);
    if (!lab.leaves_out()) {
      const Record few = check_version(
          lab, table, version,
          lab.compile_source(version.name + ".cu", lab.source(version.name), defines), counted);
      if (few->error || few->findings_total != 0) checking = lab::Checking::whole;
    }
  } else {
    module = compile_variant(lab, version.name, defines);
  }
  Record record = whole.run(module, version.owner, checking);
  const device::KernelInfo& kernel = *lab::require(module->kernel(""));
  return {version, kernel.registers, std::move(record)};
}

lab::Message show_year(lab::Lab& lab, const device::Evidence& counted) {
  const std::vector<float> x = readings(1, kYear);
  const auto plot = [](const std::string& name, const std::vector<float>& values) {
    lab::TensorExhibit tensor = tensor_of(name, values);
    tensor.view = lab::TensorExhibit::View::plot;
    return tensor;
  };
  lab.show({"year", {"profiling.year"}, std::nullopt, plot("x", x)});
  const device::Buffer d_x = lab.upload<float>("x", x),
                       d_out = lab.allocate("out", device::ElementType::f32, x.size());
  device::Launch launch = launch_of(
      compile_variant(lab, "warp"), "", 32, 32,
      {pointer_argument(d_x), pointer_argument(d_out), number_argument(1), number_argument(kYear)});
  launch.observe.trace_accesses = 0;
  lab.launch(std::move(launch));
  const std::vector<float> out = lab.download<float>(d_out);
  lab.show({"left", {"profiling.left"}, counted, plot("out", out)});
  return host_calls(lab.device());
}

}  // namespace warpbook::lessons::profiling
