// Runs one trial of a check and compares what came out.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <list>
#include <random>
#include <stdexcept>

#include <fmt/format.h>

#include "device/bad_access.hpp"
#include "lab/exercise/exercise_tools.hpp"
#include "lab/exercise/index_in_float.hpp"
#include "lab/experiment/guarded_buffer.hpp"

namespace warpbook::lab {
namespace {

using device::ElementType;
using device::ErrorCode;

constexpr std::size_t kShownMismatches = 5;
/// By so many tolerances, or units in the last place of a float where there is none, additions in another order are off.
constexpr double kNearlyRight = 4;

// After these the kernel goes on, and what it wrote can be judged; the item "safe" speaks of them.
bool goes_on_after(ErrorCode code) {
  if (device::is_bad_access(code)) return true;
  switch (code) {
    case ErrorCode::race_in_warp:
    case ErrorCode::race_in_block:
    case ErrorCode::race_in_line:
    case ErrorCode::race_between_blocks:
    case ErrorCode::race_one_instruction:
    case ErrorCode::race_with_copy:
    case ErrorCode::race_in_cluster:
    case ErrorCode::barrier_divergent:
    case ErrorCode::barrier_passed_by:
    case ErrorCode::barrier_apart:
    case ErrorCode::barrier_count:
    case ErrorCode::barrier_mixed:
    case ErrorCode::leaked:
    case ErrorCode::uninitialised_read:
    case ErrorCode::uninitialised_register:
    case ErrorCode::missing_lane:
    case ErrorCode::async_not_waited:
    case ErrorCode::bulk_not_waited:
    case ErrorCode::mbarrier_uninitialised:
    case ErrorCode::mbarrier_reinitialised:
    case ErrorCode::mbarrier_overflow: return true;
    default: return false;
  }
}

// The truth as the element's type can hold it.
double as_stored(double truth, ElementType type) {
  return type == ElementType::f32 ? static_cast<double>(static_cast<float>(truth)) : truth;
}

// Written so that NaN is no match for anything but NaN.
bool matches(double got, double truth, const TrialArray& array) {
  if (std::isnan(truth)) return std::isnan(got);
  if (array.tolerance == 0 && truth == 0 && std::signbit(truth))
    return got == 0 && std::signbit(got);
  if (array.same_bits && truth == 0) return got == 0 && !std::signbit(got);
  if (std::isinf(truth) || array.tolerance == 0) return got == as_stored(truth, array.type);
  return std::abs(got - truth) <= array.tolerance * std::max(1.0, std::abs(truth));
}

/// With as many digits as what was got: the fewest that tell one float from all others.
std::string shown_truth(double truth, ElementType type) {
  const double stored = as_stored(truth, type);
  if (type == ElementType::f32 && std::isfinite(stored))
    return fmt::format("{}", static_cast<float>(stored));
  return number(stored, 9);
}

/// Off by no more than rounding explains, and by less than a neighbouring element of any case would be.
bool is_nearly(double got, double truth, const TrialArray& array) {
  const double unit = array.tolerance != 0
                          ? array.tolerance * std::max(1.0, std::abs(truth))
                          : std::numeric_limits<float>::epsilon() * std::abs(truth);
  // Neither the sign of 0 nor infinity comes from rounding.
  return array.type == ElementType::f32 && got != truth && std::isfinite(truth) &&
         std::abs(got - truth) <= kNearlyRight * unit;
}

// "block 0, thread 3"; empty where nobody wrote the element or nobody watched.
Message writer_of(const device::LaunchRecord* record, const std::string& array,
                  std::uint64_t index) {
  if (!record) return {};
  for (const device::WriteMap& map : record->written) {
    if (map.name != array || index >= map.writer.size() || map.writer[index] < 0) continue;
    const auto thread = static_cast<std::uint64_t>(map.writer[index]);
    const std::uint64_t a_block = std::max<std::uint64_t>(record->block.count(), 1);
    return {"phrase.who.thread", {{"block", thread / a_block}, {"thread", thread % a_block}}, {}};
  }
  return {};
}

/// The parts of an array in which wrong elements are counted.
CheckExhibit::Spread parts_of(const TrialArray& array) {
  CheckExhibit::Spread spread{{}, array.name, array.count, 0, {}};
  spread.parts.resize(std::min(array.count, CheckExhibit::kMostParts));
  for (std::size_t i = 0; i < spread.parts.size(); ++i) {
    // Element e is in part e * parts / count.
    const auto begins = [&](std::uint64_t part) {
      return (part * array.count + spread.parts.size() - 1) / spread.parts.size();
    };
    spread.parts[i].count = begins(i + 1) - begins(i);
  }
  return spread;
}

void compare(const TrialArray& array, std::vector<std::byte> bytes, TrialResult& result) {
  const TensorExhibit got{array.name, array.type, {array.count}, std::move(bytes), {}};
  const device::WriteMap* written = nullptr;
  if (result.record) {
    const auto found =
        std::ranges::find(result.record->written, array.name, &device::WriteMap::name);
    if (found != result.record->written.end()) written = &*found;
  }
  for (std::uint64_t i = 0; i < array.count; ++i) {
    ++result.compared;
    if (matches(element(got, i), array.truth[i], array)) continue;
    const bool nearly = is_nearly(element(got, i), array.truth[i], array);
    result.nearly_right = nearly && (result.wrong == 0 || result.nearly_right);
    if (result.wrong++ == 0) {
      result.mismatched_array = array.name;
      result.spread = parts_of(array);
    }
    if (result.mismatched_array == array.name) {
      CheckExhibit::Part& part = result.spread.parts[i * result.spread.parts.size() / array.count];
      ++result.spread.wrong;
      ++part.wrong;
      part.unwritten += written && i < written->writer.size() && written->writer[i] < 0 ? 1 : 0;
    }
    if (result.mismatches.size() < kShownMismatches && result.mismatched_array == array.name) {
      result.mismatches.push_back({i, shown_truth(array.truth[i], array.type), element_text(got, i),
                                   writer_of(result.record.get(), array.name, i)});
    }
  }
}

/// A second launch's record added to that of those before it: what gates and findings are read from.
void join(device::LaunchRecord& all, const device::LaunchRecord& next) {
  all.kernel = next.kernel;
  all.seconds += next.seconds;
  all.total += next.total;
  for (const device::LineCounters& line : next.lines) {
    const auto same = std::ranges::find_if(all.lines, [&](const auto& known) {
      return known.file == line.file && known.line == line.line;
    });
    if (same == all.lines.end()) {
      all.lines.push_back(line);
    } else {
      same->counters += line.counters;
    }
  }
  all.longest_warp += next.longest_warp;
  all.longest_lane += next.longest_lane;
  all.thread_evenness = std::min(all.thread_evenness, next.thread_evenness);
  all.fetch_evenness = std::min(all.fetch_evenness, next.fetch_evenness);
  all.warp_barriers.widen(next.warp_barriers);
  all.most_texture_fetches = std::max(all.most_texture_fetches, next.most_texture_fetches);
  all.blocks_writing += next.blocks_writing;
  all.findings.insert(all.findings.end(), next.findings.begin(), next.findings.end());
  all.findings_total += next.findings_total;
  all.children += next.children;
  if (!all.error) all.error = next.error;
  for (std::size_t map = 0; map < all.written.size(); ++map) {
    for (std::size_t i = 0; i < all.written[map].writes.size(); ++i) {
      if (next.written[map].writes[i] == 0) continue;
      all.written[map].writes[i] += next.written[map].writes[i];
      all.written[map].writer[i] = next.written[map].writer[i];
    }
  }
}

/// What the launches of a trial allocated and did not free themselves. A later one may free it still.
class Leaks {
 public:
  /// Takes the leaks out of a launch's findings.
  void take_from(device::LaunchRecord& record) {
    const auto is_leak = [](const device::Finding& each) {
      return each.error.code == ErrorCode::leaked;
    };
    std::ranges::copy_if(record.findings, std::back_inserter(found_), is_leak);
    // They come last, so that all other findings are listed where one of them is.
    if (std::erase_if(record.findings, is_leak) != 0)
      record.findings_total = record.findings.size();
    if (record.error && record.error->code == ErrorCode::leaked) record.error.reset();
  }
  /// After the last launch: adds those that are allocated still to the trial's findings.
  void judge(Lab& lab, const std::vector<device::AllocationInfo>& allocated,
             device::LaunchRecord& record) const {
    for (const device::Finding& leak : found_) {
      const auto place =
          std::ranges::find(allocated, leak.address, &device::AllocationInfo::address);
      if (place == allocated.end()) continue;
      lab.report_error(leak.error);
      record.findings.push_back(leak);
      ++record.findings_total;
    }
  }

 private:
  std::vector<device::Finding> found_;
};

using Buffers = std::list<std::pair<const TrialArray*, GuardedBuffer>>;

GuardedBuffer& named(Buffers& buffers, const std::string& name) {
  const auto found =
      std::ranges::find_if(buffers, [&](const auto& buffer) { return buffer.first->name == name; });
  if (found == buffers.end()) throw std::logic_error("the trial has no array " + name);
  return found->second;
}

/// A trial's texture objects with the arrays that they read, by name.
class Textures {
 public:
  Textures(Lab& lab, const Trial& trial) {
    for (const TrialTexture& each : trial.textures) {
      const auto array = lab.array({each.name, {}, each.width, each.height},
                                   std::as_bytes(std::span(each.texels)));
      device::TextureDescription description;
      description.array = *array;
      description.address_mode.fill(each.outside);
      const auto texture = lab.texture(description);
      held_.push_back({each.name, array, texture});
    }
  }
  [[nodiscard]] const device::Texture* find(const std::string& name) const {
    const auto found = std::ranges::find(held_, name, &Held::name);
    return found == held_.end() ? nullptr : found->texture.get();
  }

 private:
  struct Held {
    std::string name;
    std::shared_ptr<const device::Array> array;
    std::shared_ptr<const device::Texture> texture;  // goes first
  };
  std::vector<Held> held_;
};

std::vector<device::Argument> filled(const TrialArguments& arguments, Buffers& buffers,
                                     const Textures& textures) {
  std::vector<device::Argument> made;
  for (const auto& argument : arguments) {
    if (const auto* scalar = std::get_if<device::Argument>(&argument)) {
      made.push_back(*scalar);
      continue;
    }
    const auto& name = std::get<std::string>(argument);
    const device::Texture* texture = textures.find(name);
    made.push_back(texture ? device::Argument::of(texture->handle)
                           : device::Argument::pointer(named(buffers, name).address()));
  }
  return made;
}

void copy_symbols(Lab& lab, const Trial& trial, const device::Module& module) {
  for (const TrialArray& symbol : trial.symbols)
    lab.copy_to_symbol(module, symbol.name, symbol.initial);
}

/// The array's bytes in memory that it did not have before.
void move_elsewhere(Lab& lab, Buffers& buffers, const std::string& name) {
  const auto held =
      std::ranges::find_if(buffers, [&](const auto& buffer) { return buffer.first->name == name; });
  GuardedBuffer place(lab, name, held->first->type, held->first->count);
  place.copy_in(held->second.copy_out());
  held->second = std::move(place);
}

/// All launches of the trial, as far as they come. Its record is kept in `result`, and the error that ended it.
void launch_all(Lab& lab, const Trial& trial, const device::Launch& common, bool of_submission,
                Buffers& buffers, const Textures& textures, TrialResult& result) {
  std::shared_ptr<device::LaunchRecord> all;
  Leaks leaks;
  std::vector<device::AllocationInfo> allocated;
  for (std::size_t step = 0; step <= trial.next.size(); ++step) {
    const NextLaunch* next = step == 0 ? nullptr : &trial.next[step - 1];
    device::Launch launch = common;
    launch.kernel = next ? next->kernel : trial.kernel;
    const bool is_fixed = next && next->module;
    launch.observe.leaks = !is_fixed;
    if (next) {
      if (is_fixed) launch.module = next->module;
      launch.grid = next->grid.value_or(launch.grid);
      launch.block = next->block.value_or(launch.block);
      for (const std::string& name : next->cleared) named(buffers, name).fill(std::byte{0xff});
      for (const std::string& name : next->moved) move_elsewhere(lab, buffers, name);
      if (next->fresh && of_submission) {
        launch.module = lab.load_again("submission");
        copy_symbols(lab, trial, *launch.module);
      }
    }
    launch.arguments = filled(next ? next->arguments : trial.arguments, buffers, textures);
    std::shared_ptr<device::LaunchRecord> record;
    try {
      record = std::make_shared<device::LaunchRecord>(
          *lab.launch(std::move(launch),
                      trial.hidden || trial.schedule != 0 ? Printing::withheld : Printing::shown));
    } catch (const ExperimentFailed& failed) {
      if (failed.error.code == ErrorCode::cancelled) throw;
      result.error = failed.error;
      return;
    }
    if (of_submission && trial.gates && !is_fixed && result.line_of_index_in_float == 0)
      result.line_of_index_in_float = line_of_index_in_float(*record);
    leaks.take_from(*record);
    allocated = record->allocations;
    if (all && !is_fixed) {
      join(*all, *record);
    } else if (!all) {
      all = record;
    }
    result.record = all;
    if (record->error && !goes_on_after(record->error->code)) {
      result.error = record->error;
      return;
    }
  }
  if (all) leaks.judge(lab, allocated, *all);
}

}  // namespace

TrialResult run_trial(Checker& checker, const std::shared_ptr<const device::Module>& module,
                      const Trial& trial, std::uint64_t thread_instructions) {
  Lab& lab = checker.lab;
  TrialResult result;
  if (trial.grid.count() == 0)
    return result;  // no element, no launch: CUDA would refuse a grid of 0

  device::Launch common;
  common.module = module;
  common.grid = trial.grid;
  common.block = trial.block;
  common.dynamic_shared = trial.dynamic_shared;
  common.budget.thread_instructions = thread_instructions;
  common.seed = trial.schedule;
  common.observe.trace_accesses = trial.traced;
  Buffers buffers;
  for (const TrialArray& array : trial.arrays) {
    if (array.output || array.initial.empty()) common.observe.write_maps.push_back(array.name);
    // A workspace is left as cudaMalloc leaves it, so that it shows who reads it before anything was stored there.
    const bool filled_first = array.output || !array.initial.empty();
    buffers.emplace_back(&array,
                         GuardedBuffer(lab, array.name, array.type, array.count, 0, filled_first));
    buffers.back().second.copy_in(array.initial);
  }
  try {
    copy_symbols(lab, trial, *module);
  } catch (const ExperimentFailed& failed) {
    if (failed.error.code == ErrorCode::cancelled) throw;
    result.error = failed.error;
    return result;
  }
  launch_all(lab, trial, common, module == checker.submission, buffers, Textures(lab, trial),
             result);
  if (!result.record) return result;
  for (const auto& [array, buffer] : buffers) {
    if (auto damage = buffer.damage(result.record->kernel); damage && !result.error)
      result.error = std::move(damage);
    std::vector<std::byte> bytes = buffer.copy_out();
    if (array->output) {
      compare(*array, std::move(bytes), result);
    } else if (!array->initial.empty() && bytes != array->initial) {
      result.changed_inputs.push_back(array->name);
    }
  }
  return result;
}

Trial with_gates(Trial trial) {
  trial.gates = true;
  return trial;
}

Trial hidden_with_gates(Trial trial) {
  trial.hidden = trial.gates = true;
  return trial;
}

Trial hidden(Trial trial) {
  trial.hidden = true;
  return trial;
}

namespace {

DrawnSize drawn_size(Checker& checker, std::uint32_t block, std::int64_t least, std::int64_t most) {
  return {drawn_elements(checker, block, least, most), block};
}

}  // namespace

std::array<DrawnSize, 3> drawn_sizes(Checker& checker) {
  const DrawnSize hundreds = drawn_size(checker, 64, 6, 15),
                  thousands = drawn_size(checker, 128, 12, 35),
                  many = drawn_size(checker, 192, 50, 80);
  return {hundreds, thousands, many};
}

DrawnSize drawn_large_size(Checker& checker) { return drawn_size(checker, 256, 800, 1000); }

std::int64_t drawn_elements(Checker& checker, std::int64_t block, std::int64_t least,
                            std::int64_t most) {
  return checker.drawn(least, most) * block - checker.drawn(0, block - 1);
}

std::span<const std::int64_t> telling_sizes() {
  static constexpr std::int64_t kSizes[] = {0, 1, 31, 32, 33, 127, 129, 192, 769, 1023, 1025};
  return kSizes;
}

namespace {

/// Odd multiples of 1/2 below `bound`, of either sign: never 0, which would hide a wrong factor.
std::vector<float> halves_below(std::uint64_t bound, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<float> values(count);
  for (float& value : values) {
    const float magnitude = 0.5f + static_cast<float>(random() % bound);
    value = random() % 2 == 0 ? magnitude : -magnitude;
  }
  return values;
}

}  // namespace

std::vector<float> odd_halves(std::size_t count, std::uint64_t seed) {
  return halves_below(50, count, seed);
}

std::vector<float> small_halves(std::size_t count, std::uint64_t seed) {
  return halves_below(4, count, seed);
}

std::vector<float> wide_halves(std::size_t count, std::uint64_t seed) {
  return halves_below(4096, count, seed);
}

std::vector<float> with_zeros(std::vector<float> values) {
  constexpr std::size_t kApart = 13, kZero = 7, kNegative = 3;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % kApart == kZero) values[i] = 0;
    if (i % kApart == kNegative) values[i] = -0.0f;
  }
  return values;
}

std::vector<float> with_runs_of_zeros(std::vector<float> values, std::size_t length) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i / length % 4 == 3) values[i] = 0;
  }
  return values;
}

std::vector<float> normal_values(std::size_t count, std::uint64_t seed) {
  // Our own Box-Muller: std::normal_distribution may differ from one library to the next.
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; };
  constexpr double kTurn = 6.283185307179586;
  std::vector<float> values(count);
  for (float& value : values) {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    value = static_cast<float>(radius * std::cos(kTurn * uniform()));
  }
  return values;
}

Factors drawn_factors(std::int64_t rows, std::int64_t columns, std::int64_t depth,
                      std::uint64_t seed) {
  const auto a = static_cast<std::size_t>(rows * depth),
             b = static_cast<std::size_t>(depth * columns);
  if (seed % 2 == 0) return {wide_halves(a, seed), small_halves(b, seed + 1000)};
  return {small_halves(a, seed), wide_halves(b, seed + 1000)};
}

namespace {

/// Any magnitude from 1 to 8 with a random significand of 24 bits, the last of which is set.
std::vector<float> whole_significands(std::size_t count, std::mt19937_64& random) {
  constexpr std::uint64_t kBits = std::uint64_t{1} << 23;
  std::vector<float> values(count);
  for (float& value : values) {
    const auto significand = static_cast<float>(kBits + (random() % kBits | 1));
    value = std::ldexp(random() % 2 == 0 ? significand : -significand,
                       static_cast<int>(random() % 3) - 23);
  }
  return values;
}

float power_of_two(std::mt19937_64& random) {
  return std::ldexp(random() % 2 == 0 ? 1.0f : -1.0f, static_cast<int>(random() % 5) - 2);
}

}  // namespace

Factors picking_factors(std::int64_t rows, std::int64_t columns, std::int64_t depth,
                        std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto place = [](std::int64_t index) { return static_cast<std::size_t>(index); };
  const auto drawn_depth = [&] {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(depth));
  };
  Factors made{std::vector<float>(place(rows * depth)), std::vector<float>(place(depth * columns))};
  if (seed % 2 == 0) {
    made.a = whole_significands(made.a.size(), random);
    for (std::int64_t column = 0; column < columns; ++column)
      made.b[place(drawn_depth() * columns + column)] = power_of_two(random);
  } else {
    made.b = whole_significands(made.b.size(), random);
    for (std::int64_t row = 0; row < rows; ++row)
      made.a[place(row * depth + drawn_depth())] = power_of_two(random);
  }
  return made;
}

std::vector<double> product_of(const Factors& factors, std::int64_t rows, std::int64_t columns,
                               std::int64_t depth) {
  const auto place = [](std::int64_t index) { return static_cast<std::size_t>(index); };
  std::vector<double> product(place(rows * columns));
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t d = 0; d < depth; ++d) {
      for (std::int64_t column = 0; column < columns; ++column)
        product[place(row * columns + column)] += double{factors.a[place(row * depth + d)]} *
                                                  double{factors.b[place(d * columns + column)]};
    }
  }
  return product;
}

}  // namespace warpbook::lab
