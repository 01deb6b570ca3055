#include "lessons/matmul/runs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/roofline/roofline_of.hpp"
#include "lab/exhibits/roofline/roofline_summary.hpp"
#include "lab/operation/operation.hpp"
#include "lab/operation/rung_block.hpp"
#include "lab/operation/tolerance.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons::matmul {
namespace {

using lab::Message;
using Module = std::shared_ptr<const device::Module>;
using Record = std::shared_ptr<const device::LaunchRecord>;
using Names = std::map<std::string, std::int64_t>;

/// A product of m x k by k x n.
struct Size {
  std::int64_t m = 0, n = 0, k = 0;

  [[nodiscard]] std::int64_t products() const { return m * n * k; }
  [[nodiscard]] std::int64_t bytes() const { return 4 * (m * k + k * n + m * n); }
};

/// The first layer of the Transformer's feed-forward part ("Attention Is All You Need", 2017, base model: 512 numbers for each
/// word become 2,048), for a text of 4,096 words.
constexpr Size kLayer{4096, 2048, 512};
/// Of it that run. All blocks do the same, and so few suffice for the caches of the multiprocessors.
constexpr std::uint64_t kLayerBlocks = 8;
constexpr std::uint32_t kPictureTrace = 1u << 18;  ///< accesses: a picture's launch whole

Size size_of(lab::Lab& lab) {
  const std::int64_t features = lab.integer("features");
  return {lab.integer("words"), features, features};
}

Names names_of(lab::Lab& lab, const Size& size) {
  return {{"m", size.m}, {"n", size.n}, {"k", size.k}, {"TILE", lab.integer("tile")}};
}

lab::Operation sgemm(lab::Lab& lab) {
  return lab::require(lab::load_operation(lab.context().root, "sgemm"));
}

/// What of the sizes a rung takes: Strassen's TILE is another one.
Names taken_by(const lab::Rung& rung, Names names) {
  if (rung.name != "tiled") names.erase("TILE");
  return names;
}

std::string plain(std::uint64_t number) { return std::to_string(number); }
std::string grouped_count(std::int64_t value) {
  return lab::grouped(static_cast<std::uint64_t>(value));
}
/// Operations per byte, as the page says them.
std::string intensity_text(double intensity) { return lab::number(intensity, 3); }

// Launches of one kernel, as the host of a program writes them.

device::Dim3 extent(const std::string& expressions, const Names& names) {
  device::Dim3 made;
  std::uint32_t* const parts[] = {&made.x, &made.y, &made.z};
  const std::vector<std::string> texts = lab::split_expressions(expressions);
  for (std::size_t i = 0; i < texts.size(); ++i)
    *parts[i] = static_cast<std::uint32_t>(lab::require(lab::evaluate(texts[i], names)));
  return made;
}

/// The launch of a version, with the block and the grid of its `//@` block.
device::Launch launch_of(const lab::Rung& rung, Module module, Names names, const Size& size,
                         const device::Buffer& a, const device::Buffer& b,
                         const device::Buffer& c) {
  names = lab::names_of(rung, names);
  device::Launch launch;
  launch.module = std::move(module);
  launch.block = extent(rung.launches.front().block, names);
  launch.grid = extent(rung.launches.front().grid, names);
  launch.arguments = {pointer_argument(a),     pointer_argument(b),     pointer_argument(c),
                      number_argument(size.m), number_argument(size.n), number_argument(size.k)};
  launch.budget.seconds = kPatience;
  return launch;
}

// The picture: who reads what.

/// A version on matrices small enough to be drawn, in tiles of which several make up C where the kernel allows it.
struct Small {
  const char* version;
  Size size;
  std::map<std::string, std::int64_t> defines;
  std::uint32_t block, thread;  ///< that are looked at
};

Small small_of(lab::Lab& lab) {
  const std::string& version = lab.choice("version");
  const std::int64_t tile = lab.integer("tile"), side = 2 * tile;
  const Small all[] = {
      {"naive", {32, 32, 16}, {}, 2, 37},
      {"coalesced", {32, 32, 16}, {}, 2, 37},
      {"tiled", {side, side, 16}, {{"TILE", tile}}, 3, static_cast<std::uint32_t>(2 * tile + 5)},
      {"register_column",
       {32, 32, 16},
       {{"TILE_M", 16}, {"TILE_N", 16}, {"TILE_K", 8}, {"THREAD_M", 8}},
       3,
       5},
      {"register_tile",
       {32, 32, 16},
       {{"TILE_M", 16}, {"TILE_N", 32}, {"TILE_K", 8}, {"THREAD_M", 4}, {"THREAD_N", 4}},
       1,
       13},
      {"float4", {32, 64, 16}, {{"TILE_M", 32}, {"TILE_N", 64}, {"TILE_K", 8}}, 0, 13},
      {"warp_tiles",
       {64, 32, 16},
       {{"TILE_M", 64}, {"TILE_N", 32}, {"TILE_K", 16}, {"WARP_M", 64}, {"WARP_N", 32}},
       0,
       13},
      {"tf32_mma", {128, 128, 16}, {}, 0, 13}};
  return *std::ranges::find(all, version, &Small::version);
}

/// Small whole numbers, so that every order of adding gives the same sum, and TF32 loses nothing.
std::vector<float> whole_numbers(std::int64_t count, std::uint32_t seed) {
  std::minstd_rand random(seed);
  std::vector<float> made(static_cast<std::size_t>(count));
  for (float& value : made) value = static_cast<float>(static_cast<int>(random() % 9) - 4);
  return made;
}

std::vector<double> multiplied(const std::vector<float>& a, const std::vector<float>& b,
                               const Size& size) {
  std::vector<double> c(static_cast<std::size_t>(size.m * size.n));
  for (std::int64_t row = 0; row < size.m; ++row) {
    double* const out = c.data() + row * size.n;
    for (std::int64_t depth = 0; depth < size.k; ++depth) {
      const double of_a = a[static_cast<std::size_t>(row * size.k + depth)];
      const float* const of_b = b.data() + depth * size.n;
      for (std::int64_t column = 0; column < size.n; ++column) out[column] += of_a * of_b[column];
    }
  }
  return c;
}

// The rungs side by side.

/// Numbers between -1 and 1 with all their digits, so that rounding shows.
std::vector<float> fractions(std::int64_t count, std::uint32_t seed) {
  std::minstd_rand random(seed);
  std::vector<float> made(static_cast<std::size_t>(count));
  const double span = std::minstd_rand::max();
  for (float& value : made) value = static_cast<float>(2 * (random() / span) - 1);
  return made;
}

/// Whether this GPU has what the version needs: not every one has tensor cores that take TF32.
bool runs_here(lab::Lab& lab, const lab::Rung& rung) {
  return rung.needs <= lab.device().properties().compute_capability;
}

std::vector<lab::Rung> rungs_of(lab::Lab& lab, const lab::Operation& operation) {
  std::vector<lab::Rung> able;
  std::ranges::copy_if(operation.rungs, std::back_inserter(able),
                       [&](const lab::Rung& rung) { return runs_here(lab, rung); });
  return able;
}

/// Some blocks of a version at the layer's size, where nobody asks what the matrices hold: that decides no time.
Record run_layer(lab::Lab& lab, const lab::Rung& rung) {
  const Names names = taken_by(rung, names_of(lab, kLayer));
  const auto matrix = [&](const char* name, std::int64_t count) {
    return lab.allocate(name, device::ElementType::f32, static_cast<std::uint64_t>(count));
  };
  const device::Buffer d_a = matrix("a", kLayer.m * kLayer.k),
                       d_b = matrix("b", kLayer.k * kLayer.n),
                       d_c = matrix("c", kLayer.m * kLayer.n);
  lab.fill(d_a, std::byte{0});
  lab.fill(d_b, std::byte{0});
  device::Launch launch =
      launch_of(rung, lab::compile_rung(lab, rung, names, true), names, kLayer, d_a, d_b, d_c);
  launch.observe.trace_accesses = 0;
  launch.estimate = {true, kLayerBlocks};
  // The ladder checks the same kernels for everything.
  return lab.launch(std::move(launch), lab::Printing::shown, lab::Checking::accesses);
}

std::string_view unguarded(std::string_view ptx) {
  if (ptx.starts_with('@')) ptx.remove_prefix(std::min(ptx.size(), ptx.find(' ') + 1));
  return ptx;
}

/// What a rung did, all its launches together.
struct Ran {
  device::Counters total;
  std::uint64_t loaded = 0, shared_loaded = 0;  ///< floats, by all lanes
  std::uint64_t blocks = 0, findings = 0;       ///< blocks of the launch with the most
  double seconds = 0, low = 0, high = 0;        ///< estimated
  bool timed = true;

  void add(const device::LaunchRecord& record) {
    total += record.total;
    findings += record.findings_total;
    blocks = std::max<std::uint64_t>(blocks, record.grid.count());
    for (const device::InstructionCounters& instruction : record.instructions) {
      if (instruction.counters.global_load_sectors > 0)
        loaded += instruction.counters.global_bytes_asked / sizeof(float);
      if (unguarded(instruction.text).starts_with("ld.shared"))
        shared_loaded += instruction.counters.shared_bytes / sizeof(float);
    }
    timed = timed && record.estimate.has_value();
    if (!record.estimate) return;
    seconds += record.estimate->seconds;
    low += record.estimate->low;
    high += record.estimate->high;
  }
};

struct RungRan {
  Ran ran;
  lab::Deviation off;  ///< from the product in FP64
};

/// What the versions' exhibits show: a bar for each quantity of each version, and what figures and answers are read off.
struct Shown {
  std::vector<std::vector<lab::BarsExhibit::Bar>> bars;
  device::MessageArguments said;
};

/// What a multiply-add costs; in plain digits what figures and answers are read off.
void add_counts(Shown& counts, const std::string& name, const Ran& ran, std::int64_t products) {
  const double each = 1 / static_cast<double>(products);
  const auto bar = [&](double times, std::uint64_t count) {
    const double value = times * static_cast<double>(count) * each;
    return lab::BarsExhibit::Bar{Message::plain(name), value, lab::number(value, 3)};
  };
  counts.bars.push_back({bar(1, ran.loaded), bar(32, ran.total.global_load_sectors),
                         bar(1, ran.shared_loaded), bar(32, ran.total.shared_wavefronts),
                         bar(32, ran.total.warp_instructions)});
  counts.said.emplace_back(name + "_loaded", plain(ran.loaded));
  counts.said.emplace_back(name + "_shared", plain(ran.shared_loaded));
  counts.said.emplace_back(name + "_sectors", plain(ran.total.global_load_sectors));
  counts.said.emplace_back(name + "_instructions", plain(ran.total.warp_instructions));
}

void add_time(Shown& times, const std::string& name, const Ran& ran) {
  times.bars.push_back({count_bar(Message::plain(name), ran.blocks),
                        estimate_bar(Message::plain(name), ran.seconds, ran.low, ran.high)});
  times.said.emplace_back(name + "_blocks", plain(ran.blocks));
  times.said.emplace_back(name + "_time", lab::number(ran.seconds * 1e6, 3));
}

/// How far the results are off, relative to the results' own size, and what the rung's contract allows.
lab::CheckExhibit::Item add_error(Message& table, const std::string& name, const Ran& ran,
                                  const lab::Deviation& off) {
  table.arguments.front().value.text +=
      fmt::format("{:<15}{:>10.1e}{:>10.1e}\n", name, off.relative_l2, off.allowed_l2);
  table.arguments.emplace_back(name + "_error", fmt::format("{:.1e}", off.relative_l2));
  using State = lab::CheckExhibit::State;
  const bool right = off.passed() && ran.findings == 0;
  return {"right-" + name,
          right ? State::passed : State::failed,
          {"matmul.rungs.right", {{"name", name}}},
          {},
          {},
          0,
          {},
          {}};
}

}  // namespace

const std::vector<std::string>& versions() {
  static const std::vector<std::string> names{"naive",           "coalesced",     "tiled",
                                              "register_column", "register_tile", "float4",
                                              "warp_tiles",      "tf32_mma"};
  return names;
}

void show_work(lab::Lab& lab) {
  const auto show = [&](const std::string& id, const Size& size) {
    const double intensity =
        2 * static_cast<double>(size.products()) / static_cast<double>(size.bytes());
    lab.show({id,
              {"matmul." + id + ".title"},
              std::nullopt,
              lab::TextExhibit{{"matmul.sizes",
                                {{"m", grouped_count(size.m)},
                                 {"n", grouped_count(size.n)},
                                 {"k", grouped_count(size.k)},
                                 {"a_elements", grouped_count(size.m * size.k)},
                                 {"b_elements", grouped_count(size.k * size.n)},
                                 {"products", grouped_count(size.products())},
                                 {"bytes", grouped_count(size.bytes())},
                                 {"intensity", intensity_text(intensity)}}}}});
  };
  show("work", size_of(lab));
  show("layer", kLayer);
}

lab::Message show_reads(lab::Lab& lab, const device::Evidence& counted) {
  const Small small = small_of(lab);
  const Size& size = small.size;
  const std::vector<float> a = whole_numbers(size.m * size.k, 1),
                           b = whole_numbers(size.k * size.n, 2);
  const device::Buffer d_a = lab.upload<float>("a", a), d_b = lab.upload<float>("b", b),
                       d_c = lab.allocate("c", device::ElementType::f32,
                                          static_cast<std::uint64_t>(size.m * size.n));
  std::vector<std::pair<std::string, std::string>> defines;
  Names names{{"m", size.m}, {"n", size.n}, {"k", size.k}};
  for (const auto& [name, value] : small.defines) {
    defines.emplace_back(name, std::to_string(value));
    names[name] = value;
  }
  const lab::Operation operation = sgemm(lab);
  const lab::Rung& rung = lab::rung_named(operation, small.version);
  device::Launch launch =
      launch_of(rung, lab.compile(small.version, defines), names, size, d_a, d_b, d_c);
  launch.observe.trace_accesses = kPictureTrace;
  const Record record = lab.launch(std::move(launch));
  const std::vector<float> c = lab.download<float>(d_c);
  Message calls = host_calls(lab.device());
  lab.show({"reads",
            {"matmul.reads.title", {{"version", small.version}}},
            counted,
            lab::product_of(*record,
                            {static_cast<std::uint32_t>(size.m), static_cast<std::uint32_t>(size.n),
                             static_cast<std::uint32_t>(size.k), small.block, small.thread})});
  std::vector<float> truth;
  for (const double value : multiplied(a, b, size)) truth.push_back(static_cast<float>(value));
  lab.show(
      {"check", {"matmul.check.title"}, counted, check_of("matmul.check.", *record, c, truth)});
  return calls;
}

void compile_rungs_soon(lab::Lab& lab) {
  const Size size = size_of(lab);
  for (const lab::Rung& rung : rungs_of(lab, sgemm(lab)))
    lab::compile_rung_soon(lab, rung, taken_by(rung, names_of(lab, size)), true);
}

void show_ladder(lab::Lab& lab, const device::Evidence& counted) {
  const Size size = size_of(lab);
  const lab::Operation operation = sgemm(lab);
  const std::vector<float> a = fractions(size.m * size.k, 3), b = fractions(size.k * size.n, 4);
  lab::Truth truth;
  truth.values = multiplied(a, b, size);
  truth.products = static_cast<std::uint64_t>(size.k);

  const std::vector<lab::Rung> able = rungs_of(lab, operation);
  std::vector<RungRan> rungs(able.size());
  std::vector<lab::Lab::Part> parts;
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    parts.emplace_back([&, i](lab::Lab& part) {
      const lab::Rung& rung = able[i];
      lab::RungArguments arguments;
      arguments.scalars = taken_by(rung, names_of(part, size));
      arguments.inputs = {{"a", bytes_of(a)}, {"b", bytes_of(b)}};
      arguments.module = lab::compile_rung(part, rung, arguments.scalars, true);
      arguments.estimate.wanted = true;
      arguments.trace_accesses = 0;
      arguments.budget.seconds = kPatience;
      const lab::RungResult result = lab::run_rung(part, rung, operation, arguments);
      for (const Record& record : result.records) rungs[i].ran.add(*record);
      const auto tolerance =
          lab::parse_tolerance(rung.tolerance.empty() ? operation.tolerance : rung.tolerance);
      rungs[i].off = lab::deviation(result.outputs.at("c"), truth, *tolerance, 0);
    });
  }
  lab.side_by_side(parts);

  Shown counts, small;
  Message errors{"matmul.errors.table", {{"rows", ""}}, {}};
  lab::CheckExhibit checks;
  bool timed = true;
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    const std::string& name = able[i].name;
    const auto& [ran, off] = rungs[i];
    add_counts(counts, name, ran, size.products());
    add_time(small, name, ran);
    timed = timed && ran.timed;
    checks.items.push_back(add_error(errors, name, ran, off));
  }
  const auto show = [&](const std::string& id, lab::ExhibitValue value,
                        const std::optional<device::Evidence>& evidence) {
    lab.show(
        {id,
         {"matmul." + id + ".title", {{"m", grouped_count(size.m)}, {"n", grouped_count(size.n)}}},
         evidence,
         std::move(value)});
  };
  show("counts",
       side_by_side("matmul.counts.", {"global", "sectors", "shared", "passes", "instructions"},
                    counts.bars, std::move(counts.said)),
       counted);
  show("errors", lab::TextExhibit{std::move(errors), true}, counted);
  if (timed) {
    show("small",
         side_by_side("matmul.small.", {"blocks", "time"}, small.bars, std::move(small.said)),
         device::Evidence{
             device::EvidenceKind::estimated, Message::plain(lab.device().properties().name), {}});
  }
  lab.show({"rungs-check", {"matmul.rungs.check"}, counted, std::move(checks)});
}

void show_climb(lab::Lab& lab) {
  const lab::Operation operation = sgemm(lab);
  std::vector<std::string> able = versions();
  std::erase_if(able, [&](const std::string& version) {
    return !runs_here(lab, lab::rung_named(operation, version));
  });
  std::vector<lab::RooflineRun> runs(able.size());
  std::vector<lab::Lab::Part> parts;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    parts.emplace_back([&, i](lab::Lab& part) {
      Record record = run_layer(part, lab::rung_named(operation, able[i]));
      runs[i] = {Message::plain(able[i]), {std::move(record)}};
    });
  }
  lab.side_by_side(parts);
  // A version that this GPU cannot run is not in the picture; the first one is shown then.
  const auto found = std::ranges::find(able, lab.choice("version"));
  const auto chosen = found == able.end() ? 0 : found - able.begin();
  auto roofline =
      lab::roofline_of(lab.device().properties(), runs, static_cast<std::size_t>(chosen), "l2");
  if (!roofline) return;
  Shown speeds;
  for (const lab::RooflineExhibit::Point& point : roofline->points) {
    const std::string& name = point.name.text;
    speeds.bars.push_back(
        {estimate_bar(Message::plain(name), point.seconds, point.low, point.high)});
    speeds.said.emplace_back(name + "_time", lab::duration(point.seconds));
    speeds.said.emplace_back(name + "_rate", lab::operation_rate(lab::rate_of(point)));
    speeds.said.emplace_back(name + "_intensity",
                             intensity_text(lab::intensity_of(*roofline, point)));
  }
  const device::Evidence estimated{
      device::EvidenceKind::estimated, Message::plain(roofline->gpu), {}};
  lab.show({"roofline", {"matmul.roofline"}, estimated, std::move(*roofline)});
  show_side_by_side(lab, "matmul.", "speeds", estimated, {"time"}, speeds.bars,
                    std::move(speeds.said));
}

void show_instruction(lab::Lab& lab, const device::Evidence& counted) {
  if (!runs_here(lab, lab::rung_named(sgemm(lab), "tf32_mma"))) {
    lab.show(
        {"rounded",
         {"matmul.rounded.title"},
         std::nullopt,
         lab::TextExhibit{{"matmul.rounded.missing", {{"gpu", lab.device().properties().name}}}}});
    return;
  }
  constexpr Size kInstruction{16, 8, 8};
  // b is the unit matrix, so c is what has become of a. 2,049 needs 12 binary digits.
  std::vector<float> a(kInstruction.m * kInstruction.k, 1.0f),
      b(kInstruction.k * kInstruction.n, 0.0f);
  a[0] = 2049;
  for (std::int64_t i = 0; i < kInstruction.k; ++i)
    b[static_cast<std::size_t>(i * kInstruction.n + i)] = 1;
  const std::string file = "lessons/matmul/variants/one_mma.cu";
  const Module module = lab.compile_source(
      "one_mma.cu", lab::require(lab::read_source_file(lab.context().root, file)));
  const device::Buffer d_a = lab.upload<float>("a", a), d_b = lab.upload<float>("b", b),
                       d_c = lab.allocate("c", device::ElementType::f32,
                                          kInstruction.m * kInstruction.n);
  const Record record = lab.launch(lessons::launch_of(
      module, "", 32, 32, {pointer_argument(d_a), pointer_argument(d_b), pointer_argument(d_c)}));
  const std::vector<float> c = lab.download<float>(d_c);
  constexpr std::uint32_t kFollowed = 5;
  lab.show(
      {"fragments",
       {"matmul.fragments"},
       counted,
       lab::product_of(*record, {kInstruction.m, kInstruction.n, kInstruction.k, 0, kFollowed})});
  lab.show({"rounded",
            {"matmul.rounded.title"},
            counted,
            lab::TextExhibit{{"matmul.rounded.sentence",
                              {{"a", grouped_count(std::llround(a[0]))},
                               {"c", grouped_count(std::llround(c[0]))}}}}});
}

void show_strassen(lab::Lab& lab) {
  constexpr std::array<std::int64_t, 4> kSides{32, 64, 256, 4096};
  // Of an addition of quarters: 5 for A, 5 for B, 8 for C.
  constexpr std::int64_t kAdditions = 18;
  Message table{"matmul.strassen.table", {{"rows", ""}}, {}};
  std::optional<std::int64_t> from;
  for (const std::int64_t n : kSides) {
    const std::int64_t saved = n * n * n / 8, added = kAdditions * n * n / 4;
    if (saved > added && !from) from = n;
    table.arguments.front().value.text += fmt::format("{:>6}{:>16}{:>14}\n", grouped_count(n),
                                                      grouped_count(saved), grouped_count(added));
  }
  table.arguments.emplace_back("from", from ? grouped_count(*from) : "");
  lab.show({"strassen",
            {"matmul.strassen.title"},
            std::nullopt,
            lab::TextExhibit{std::move(table), true}});
}

}  // namespace warpbook::lessons::matmul
