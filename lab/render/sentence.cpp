#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lab/markup/phrases.hpp"
#include "lab/markup/sentence_parts.hpp"
#include "lab/model/exhibits.hpp"
#include "lab/model/tensor_values.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kListed = 8;  ///< a tensor of so many elements is read out whole
constexpr int kQuotedColumns = 100;   ///< of a line of output that a sentence repeats

std::string element_name(const TensorExhibit& tensor, std::uint64_t index) {
  return tensor.name + "[" + std::to_string(index) + "]";
}

std::string values_of(const TensorExhibit& tensor, const Strings& strings) {
  const std::string elements = counted(strings, "count.elements", count(tensor));
  const std::string type(name_of(tensor.type));
  if (held(tensor) <= kListed) {
    std::string values;
    for (std::uint64_t i = 0; i < held(tensor); ++i)
      values += (i ? " " : "") + element_figure(tensor, i);
    return strings(
        "tensor.list",
        {{"name", tensor.name}, {"elements", elements}, {"type", type}, {"values", values}});
  }
  const TensorRange range = range_of(tensor);
  if (!range.any_finite) {
    return strings("tensor.nothing-finite",
                   {{"name", tensor.name}, {"elements", elements}, {"type", type}});
  }
  const std::string low = element_text(tensor, range.lowest),
                    high = element_text(tensor, range.highest);
  const auto all_alike = [&](std::string_view key) {
    return strings(key,
                   {{"name", tensor.name}, {"elements", elements}, {"type", type}, {"value", low}});
  };
  if (low == high && range.not_finite == 0) return all_alike("tensor.same");
  std::string text = low == high ? all_alike("tensor.same-finite")
                                 : strings("tensor.range", {{"name", tensor.name},
                                                            {"elements", elements},
                                                            {"type", type},
                                                            {"low", low},
                                                            {"high", high}});
  if (range.not_finite != 0) {
    text += strings("list.sentences");
    text += strings("tensor.not-finite", {{"count", grouped(range.not_finite)},
                                          {"first", element_name(tensor, range.first_not_finite)}});
  }
  return text;
}

std::string sentence_of(const TensorExhibit& tensor, const Strings& strings) {
  if (count(tensor) == 0) return strings("tensor.empty", {{"name", tensor.name}});
  std::vector<std::string> parts{values_of(tensor, strings)};
  if (!tensor.wrong.empty()) {
    const std::uint64_t first = *std::min_element(tensor.wrong.begin(), tensor.wrong.end());
    const std::string value = first < held(tensor) ? element_text(tensor, first) : "?";
    if (tensor.wrong.size() >= count(tensor) && count(tensor) > 1) {
      parts.push_back(
          strings("tensor.all-wrong", {{"first", element_name(tensor, first)}, {"value", value}}));
    } else {
      parts.push_back(strings("tensor.wrong", {{"count", grouped(tensor.wrong.size())},
                                               {"first", element_name(tensor, first)},
                                               {"value", value}}));
    }
  }
  return sentences(strings, parts);
}

std::string sentence_of(const GeometryExhibit& geometry, const Strings& strings) {
  if (geometry.threads == 0) return strings("geometry.nothing", {{"kernel", geometry.kernel}});
  const std::string shape = strings(
      "geometry.shape", {{"threads", counted(strings, "count.threads", geometry.threads)},
                         {"blocks", counted(strings, "count.blocks", geometry.grid.count())},
                         {"block", extent(geometry.block)}});
  std::string work;
  if (!geometry.idle_known) {
    work = strings("geometry.idle-unknown");
  } else if (geometry.idle == 0) {
    work = counted(strings, "geometry.none-idle", geometry.threads);
  } else if (geometry.idle >= geometry.threads) {
    work = counted(strings, "geometry.all-idle", geometry.threads);
  } else {
    std::uint64_t blocks = 0;
    if (!geometry.stored.empty() && geometry.grid.count() > 1) {
      for (std::uint64_t block = 0; block < geometry.grid.count(); ++block)
        blocks += idle_in(geometry, block).value_or(0) != 0 ? 1 : 0;
    }
    work = blocks == 0 ? counted(strings, "geometry.idle", geometry.idle)
                       : strings("geometry.idle-in",
                                 {{"count", grouped(blocks)}, {"idle", grouped(geometry.idle)}});
  }
  return shape + strings("list.clauses") + work;
}

/// The line of one kind of mark that stands first, and how many there are.
struct MarkCount {
  std::uint64_t count = 0;
  const SourceExhibit::Mark* first = nullptr;
};

MarkCount marks_of(const SourceExhibit& source, device::Severity severity) {
  MarkCount found;
  for (const SourceExhibit::Mark& mark : source.marks) {
    if (mark.severity != severity) continue;
    ++found.count;
    if (found.first == nullptr || mark.line < found.first->line) found.first = &mark;
  }
  return found;
}

/// A quoted line without its own full stop: the sentence around it has one.
std::string without_stop(std::string text) {
  for (const std::string_view stop : {".", "。"}) {
    if (text.ends_with(stop)) text.resize(text.size() - stop.size());
  }
  return text;
}

std::string sentence_of(const MarkCount& marks, std::string_view key, const SourceExhibit& source,
                        const Strings& strings) {
  if (marks.count == 0) return {};
  return strings(key,
                 {{"count", grouped(marks.count)},
                  {"file", source.file},
                  {"line", std::to_string(marks.first->line)},
                  {"text", without_stop(first_line(strings(marks.first->text), kQuotedColumns))}});
}

std::string cost_of(const SourceExhibit& source, const Strings& strings) {
  const SourceExhibit::Line *costliest = nullptr, *widest = nullptr, *narrowest = nullptr;
  std::uint64_t total = 0;
  for (const SourceExhibit::Line& line : source.lines) {
    total += line.counters.thread_instructions;
    if (!costliest || line.counters.thread_instructions > costliest->counters.thread_instructions)
      costliest = &line;
    if (!widest || line.threads > widest->threads) widest = &line;
    if (!narrowest || line.threads < narrowest->threads) narrowest = &line;
  }
  if (total == 0) {
    return strings("source.uncounted",
                   {{"file", source.file},
                    {"lines", counted(strings, "count.lines", lines_of(source.text).size())}});
  }
  std::string text =
      strings("source.cost", {{"file", source.file},
                              {"line", std::to_string(costliest->line)},
                              {"part", grouped(costliest->counters.thread_instructions)},
                              {"total", grouped(total)}});
  if (narrowest->threads < widest->threads) {
    text += strings("list.sentences");
    text +=
        strings("source.reach", {{"widest", std::to_string(widest->line)},
                                 {"many", counted(strings, "count.threads", widest->threads)},
                                 {"narrowest", std::to_string(narrowest->line)},
                                 {"few", counted(strings, "count.threads", narrowest->threads)}});
  }
  return text;
}

std::string sentence_of(const SourceExhibit& source, const Strings& strings) {
  const MarkCount errors = marks_of(source, device::Severity::error);
  const MarkCount warnings = marks_of(source, device::Severity::warning);
  // Without PTX an error is the compiler's; with it, the kernel ran and a checker found something. Settings are never compiled.
  if (source.settings && errors.count != 0)
    return sentence_of(errors, "source.findings", source, strings);
  if (source.ptx.empty() && errors.count != 0)
    return sentence_of(errors, "source.broken", source, strings);
  const std::vector<std::string> parts{sentence_of(errors, "source.findings", source, strings),
                                       sentence_of(warnings, "source.warnings", source, strings),
                                       cost_of(source, strings)};
  return sentences(strings, parts);
}

std::string sentence_of(const CheckExhibit& check, const Strings& strings) {
  using State = CheckExhibit::State;
  if (check.items.empty()) return strings("check.nothing");
  const auto in_state = [&](State state) {
    return static_cast<std::uint64_t>(
        std::count_if(check.items.begin(), check.items.end(),
                      [=](const CheckExhibit::Item& item) { return item.state == state; }));
  };
  std::vector<std::string> parts;
  const std::uint64_t failed = in_state(State::failed);
  if (failed != 0) {
    const auto first =
        std::find_if(check.items.begin(), check.items.end(),
                     [](const CheckExhibit::Item& item) { return item.state == State::failed; });
    const std::string got = strings(first->got);
    parts.push_back(strings(got.empty() ? "check.failed" : "check.failed-with",
                            {{"count", grouped(failed)},
                             {"total", grouped(check.items.size())},
                             {"first", strings(first->sentence)},
                             {"got", got}}));
  } else if (in_state(State::passed) == check.items.size()) {
    parts.push_back(counted(strings, "check.passed", check.items.size()));
  } else if (in_state(State::passed) != 0) {
    parts.push_back(strings("check.some-passed", {{"count", grouped(in_state(State::passed))},
                                                  {"total", grouped(check.items.size())}}));
  }
  if (const std::uint64_t warned = in_state(State::warning))
    parts.push_back(counted(strings, "check.warned", warned));
  if (const std::uint64_t waiting = in_state(State::waiting))
    parts.push_back(counted(strings, "check.waiting", waiting));
  return sentences(strings, parts);
}

std::string sentence_of(const TextExhibit& exhibit, const Strings& strings) {
  const std::string text = strings(exhibit.text);
  const std::string first = first_line(text, kQuotedColumns);
  if (!exhibit.code) return first.empty() ? strings("text.nothing") : first;
  if (first.empty()) return strings("text.no-lines");
  return strings("text.lines", {{"count", grouped(lines_of(text).size())}, {"first", first}});
}

}  // namespace

std::string sentence(const Exhibit& exhibit, const Strings& strings) {
  const auto speak = [&](const auto& value) { return sentence_of(value, strings); };
  std::string text = printable(std::visit(speak, exhibit.value));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return text;
}

}  // namespace warpbook::lab
