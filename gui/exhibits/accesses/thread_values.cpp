#include "gui/exhibits/accesses/thread_values.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "device/characters.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/operation/operation.hpp"

namespace warpbook::gui {
namespace {
using Wire = lab::AccessesExhibit::Wire;

const lab::SourceExhibit::Line* cost_of(const lab::SourceExhibit& source, std::uint32_t line) {
  const auto found = std::ranges::find(source.lines, line, &lab::SourceExhibit::Line::line);
  return found == source.lines.end() || found->threads == 0 ? nullptr : &*found;
}

struct Part {
  std::string named, bare;  ///< "x[6] = 7", "7"; where the value is unknown, "x[6]" and nothing
};

Part part_of(const lab::AccessesExhibit& run, const Wire& wire) {
  const auto& array = run.arrays[wire.array];
  const std::string name = array.tensor.name + "[" + std::to_string(wire.element) + "]";
  if (wire.element < 0 || wire.element >= static_cast<std::int64_t>(lab::count(array.tensor)))
    return {name + " ✗", {}};
  if (array.written) {
    const auto writes = std::ranges::count_if(run.wires, [&](const Wire& other) {
      return other.array == wire.array && other.element == wire.element &&
             other.kind != device::AccessKind::load;
    });
    if (wire.kind != device::AccessKind::store || writes != 1 || run.cut) return {name, {}};
  }
  const std::string value =
      lab::element_figure(array.tensor, static_cast<std::uint64_t>(wire.element));
  return {name + " = " + value, value};
}

/// "a, b, c", the middle left out where there are more than three.
std::string listed(const std::vector<Part>& parts, std::string Part::*which) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts.size() > 3 && i == 2) {
      text += ", … , " + parts.back().*which;
      break;
    }
    text += (i ? ", " : "") + parts[i].*which;
  }
  return text;
}

LineValues values_at(const lab::AccessesExhibit& run, std::uint32_t line,
                     std::vector<const Wire*> wires) {
  // The compiler may load in another order than the source names the arrays: theirs is the one a reader expects.
  std::ranges::stable_sort(wires, {}, &Wire::array);
  std::vector<Part> reads, writes;
  bool known = true;
  for (const Wire* wire : wires) {
    Part part = part_of(run, *wire);
    known &= !part.bare.empty();
    (wire->kind == device::AccessKind::load ? reads : writes).push_back(std::move(part));
  }
  const auto both = [&](std::string Part::*which) {
    const std::string left = listed(reads, which), right = listed(writes, which);
    return left + (left.empty() || right.empty() ? "" : " → ") + right;
  };
  return {line, both(&Part::named), both(known ? &Part::bare : &Part::named), true};
}

/// What is assigned in a line where that takes built-in variables alone: "blockIdx.x * blockDim.x + threadIdx.x".
std::string_view index_formula(std::string_view line) {
  line = line.substr(0, line.find("//"));
  const std::size_t equals = line.find('='), end = line.find(';');
  if (equals == std::string_view::npos || end == std::string_view::npos || end < equals) return {};
  const std::string_view formula = line.substr(equals + 1, end - equals - 1);
  return formula.find("Idx.") == std::string_view::npos ? std::string_view() : formula;
}

/// The accesses name no file: they are of this one where every line that they name cost something here.
bool are_of(const lab::AccessesExhibit& run, const lab::SourceExhibit& source) {
  return !run.wires.empty() && std::ranges::all_of(run.wires, [&](const Wire& wire) {
    return cost_of(source, wire.line) != nullptr;
  });
}

/// What stands between an `if`'s brackets in a line that begins with it, and what comes behind them.
std::optional<std::pair<std::string_view, std::string_view>> condition_in(std::string_view line) {
  line = device::trimmed(line.substr(0, line.find("//")));
  if (!line.starts_with("if (")) return {};
  line.remove_prefix(4);
  int open = 1;
  for (std::size_t at = 0; at < line.size(); ++at) {
    open += line[at] == '(' ? 1 : line[at] == ')' ? -1 : 0;
    if (open == 0) return std::pair(line.substr(0, at), device::trimmed(line.substr(at + 1)));
  }
  return {};
}

/// An index formula with a thread's numbers, and what they make.
struct Index {
  std::string numbers;
  std::int64_t value = 0;
};

/// None where the line has no such formula, or it holds more than built-in variables.
std::optional<Index> index_in(std::string_view line, const lab::AccessesExhibit& run,
                              const Link::Thread& thread) {
  std::string numbers;
  for (const std::string& word : words_of(index_formula(line))) {
    const bool name = std::isalnum(static_cast<unsigned char>(word[0])) != 0;
    // Built-in variables are unsigned: a difference might wrap round, and then it is not the number shown here.
    if (!name && std::string_view("+*()").find(word[0]) == std::string_view::npos) return {};
    const std::string value = name ? builtin_value(word, {run.grid, run.block}, thread) : word;
    if (value.empty()) return {};
    const bool tight = numbers.empty() || word == ")" || numbers.ends_with('(');
    numbers += (tight ? "" : " ") + value;
  }
  if (numbers.empty()) return {};
  const auto value = lab::evaluate(numbers, {});
  if (!value) return {};
  return Index{std::move(numbers), *value};
}

/// The same as what stands beside the line.
std::optional<LineValues> index_at(const lab::AccessesExhibit& run, std::uint32_t number,
                                   std::string_view line, const Link::Thread& thread) {
  const auto index = index_in(line, run, thread);
  if (!index) return {};
  const std::string result = std::to_string(index->value);
  return LineValues{number, index->numbers == result ? result : index->numbers + " = " + result,
                    result, false};
}

/// Every thread of the run came to the line.
bool all_ran(const lab::AccessesExhibit& run, const lab::SourceExhibit& source,
             std::uint32_t line) {
  const auto* cost = cost_of(source, line);
  return cost && cost->threads == run.grid.count() * run.block.count();
}
}  // namespace

std::vector<std::string> words_of(std::string_view formula) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < formula.size();) {
    const auto named = [&](std::size_t i) {
      return i < formula.size() && (std::isalnum(static_cast<unsigned char>(formula[i])) ||
                                    formula[i] == '_' || formula[i] == '.');
    };
    if (formula[at] == ' ') {
      ++at;
    } else if (named(at)) {
      std::size_t end = at;
      while (named(end)) ++end;
      words.emplace_back(formula.substr(at, end - at));
      at = end;
    } else {
      words.emplace_back(formula.substr(at++, 1));
    }
  }
  return words;
}

std::string builtin_value(std::string_view name, const LaunchShape& run,
                          const Link::Thread& thread) {
  const device::Dim3 block = device::unflatten(thread.block, run.grid),
                     lane = device::unflatten(thread.thread, run.block);
  const auto part = [&](const device::Dim3& d) {
    return std::to_string(name.ends_with(".y") ? d.y : name.ends_with(".z") ? d.z : d.x);
  };
  if (name.starts_with("blockIdx.")) return part(block);
  if (name.starts_with("blockDim.")) return part(run.block);
  if (name.starts_with("gridDim.")) return part(run.grid);
  if (name.starts_with("threadIdx.")) return part(lane);
  return std::string(name.find_first_not_of("0123456789") == std::string_view::npos ? name : "");
}

std::optional<LaunchShape> shape_of(const lab::Report* report) {
  if (!report) return {};
  for (const lab::Exhibit& exhibit : report->exhibits) {
    if (const auto* accesses = std::get_if<lab::AccessesExhibit>(&exhibit.value))
      return LaunchShape{accesses->grid, accesses->block};
    if (const auto* image = std::get_if<lab::ImageExhibit>(&exhibit.value))
      return LaunchShape{image->grid, image->block};
    if (const auto* sectors = std::get_if<lab::SectorsExhibit>(&exhibit.value))
      return LaunchShape{sectors->grid, sectors->block};
  }
  return {};
}

const lab::Exhibit* first_accesses(const lab::Report* report) {
  if (!report) return nullptr;
  const auto found = std::ranges::find_if(report->exhibits, [](const lab::Exhibit& exhibit) {
    return std::holds_alternative<lab::AccessesExhibit>(exhibit.value);
  });
  return found == report->exhibits.end() ? nullptr : &*found;
}

std::vector<LineValues> values_of(const lab::AccessesExhibit& run, const lab::SourceExhibit& source,
                                  const Link::Thread& thread) {
  if (thread.block >= run.grid.count() || thread.thread >= run.block.count()) return {};
  if (!are_of(run, source)) return {};
  std::map<std::uint32_t, std::vector<const Wire*>> wires;
  for (const Wire& wire : run.wires) {
    if (wire.block == thread.block && wire.thread == thread.thread)
      wires[wire.line].push_back(&wire);
  }
  std::vector<LineValues> values;
  std::uint32_t number = 0;
  for (std::string_view rest = source.text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    ++number;
    if (const auto found = wires.find(number); found != wires.end()) {
      values.push_back(values_at(run, number, found->second));
    } else if (all_ran(run, source, number)) {  // this one, too
      if (auto index = index_at(run, number, line, thread)) values.push_back(std::move(*index));
    }
  }
  return values;
}

std::optional<std::string> index_line(const lab::AccessesExhibit& run,
                                      const lab::SourceExhibit& source) {
  if (!are_of(run, source)) return {};
  std::uint32_t number = 0;
  for (const std::string_view line : lab::lines_of(source.text)) {
    ++number;
    if (all_ran(run, source, number) && index_in(line, run, {}) &&
        std::ranges::find(run.wires, number, &Wire::line) == run.wires.end())
      return std::string(line);
  }
  return {};
}

std::optional<std::int64_t> index_by(std::string_view line, const lab::AccessesExhibit& run,
                                     const Link::Thread& thread) {
  const auto index = index_in(line, run, thread);
  return index ? std::optional(index->value) : std::nullopt;
}

std::optional<Guard> guard_of(const lab::AccessesExhibit& run, const lab::SourceExhibit& source) {
  if (run.cut || !are_of(run, source)) return {};
  std::set<std::pair<std::uint32_t, std::uint32_t>> storing;
  for (const Wire& wire : run.wires) {
    if (wire.kind != device::AccessKind::load) storing.emplace(wire.block, wire.thread);
  }
  const std::uint64_t all = run.grid.count() * run.block.count();
  if (storing.size() == all) return {};
  std::map<std::uint32_t, std::uint64_t> threads;  // by line, in order
  for (const auto& line : source.lines) threads[line.line] = line.threads;
  const std::vector<std::string_view> lines = lab::lines_of(source.text);
  for (auto at = threads.begin(); at != threads.end(); ++at) {
    const auto next = std::next(at);
    if (next == threads.end() || at->first == 0 || at->first > lines.size()) continue;
    const auto found = condition_in(lines[at->first - 1]);
    if (found && at->second == all && next->second == storing.size())
      return Guard{std::string(found->first), found->second.starts_with("return")};
  }
  return {};
}

}  // namespace warpbook::gui
