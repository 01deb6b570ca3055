#include "lab/exhibits/sliding_window/sliding_window.hpp"

#include <algorithm>
#include <functional>

#include "lab/exhibits/sliding_window/sliding_window_summary.hpp"
#include "lab/markup/json.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/model/choice.hpp"

namespace warpbook::lab {
namespace {

void tell_reads(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                const SlidingWindowRead& read, const Strings& strings,
                std::vector<std::string>& parts) {
  const auto in_image = static_cast<std::uint64_t>(sizes.taps()) - read.padding;
  parts.push_back(strings(read.padding == 0 ? "sliding_window.read" : "sliding_window.read-padded",
                          {{"read", grouped(in_image - read.missing)},
                           {"taps", grouped(in_image)},
                           {"padding", counted(strings, "sliding_window.padding", read.padding)}}));
  if (!read.astray.empty()) {
    const std::int64_t first = read.astray.front();
    const bool inside = first >= 0 && first < static_cast<std::int64_t>(count(window.input));
    const InputPlace at = inside ? input_place(window, sizes, first) : InputPlace{};
    parts.push_back(counted(strings, "sliding_window.astray", read.astray.size()));
    parts.push_back(
        strings(inside ? "sliding_window.astray-first" : "sliding_window.astray-outside",
                {{"row", std::to_string(at.row)},
                 {"column", std::to_string(at.column)},
                 {"channel", std::to_string(at.channel)},
                 {"element", std::to_string(first)},
                 {"name", window.input.name}}));
  }
  if (read.repeated != 0)
    parts.push_back(counted(strings, "sliding_window.repeated", read.repeated));
  switch (read.pairing) {
    case SlidingWindowRead::Pairing::unknown: break;
    case SlidingWindowRead::Pairing::as_it_stands:
      parts.push_back(strings("sliding_window.straight"));
      break;
    case SlidingWindowRead::Pairing::flipped:
      parts.push_back(strings("sliding_window.flipped"));
      break;
    case SlidingWindowRead::Pairing::other:
      parts.push_back(strings("sliding_window.crossed"));
      break;
  }
}

}  // namespace

std::string sentence_of(const SlidingWindowExhibit& window, const Strings& strings) {
  const auto sizes = sizes_of(window);
  if (!sizes) return strings("sliding_window.unfit");
  std::vector<std::string> parts;
  // Of an output that was seen, all reads were: what is missing are others.
  if (window.stopped || (window.cut && window.outputs.empty()))
    parts.push_back(strings(window.stopped ? "trace.stopped" : "trace.cut"));
  if (window.chosen >= window.outputs.size()) {
    parts.push_back(strings("sliding_window.nobody"));
    return sentences(strings, parts);
  }
  const SlidingWindowExhibit::Output& output = window.outputs[window.chosen];
  const OutputPlace place = place_of(window, *sizes, output.element);
  parts.push_back(strings("sliding_window.output", {{"place", output_text(place)},
                                                    {"filter", std::to_string(place.filter)},
                                                    {"value", number(output.value, 6)},
                                                    {"thread", grouped(output.thread)},
                                                    {"block", grouped(output.block)}}));
  tell_reads(window, *sizes, read_of(window, *sizes, output), strings, parts);
  if (output.wrong) parts.push_back(strings("sliding_window.wrong"));
  const auto column = static_cast<std::uint64_t>(place.row * sizes->out_columns + place.column);
  parts.push_back(strings(window.channels_last ? "sliding_window.row" : "sliding_window.column",
                          {{"number", grouped(column)},
                           {"taps", grouped(static_cast<std::uint64_t>(sizes->taps()))},
                           {"windows", grouped(static_cast<std::uint64_t>(sizes->windows()))}}));
  return sentences(strings, parts);
}

/// The taps of the chosen output's window, and behind them what its thread read beside it.
Table table_of(const SlidingWindowExhibit& window, const Strings& strings) {
  Table table{{strings("table.channel"), strings("table.row"), strings("table.column"),
               window.input.name, window.weights.name, strings("table.value"),
               strings("table.reads"), strings("table.weight")},
              {}};
  const auto sizes = sizes_of(window);
  if (!sizes || window.chosen >= window.outputs.size()) return table;
  const SlidingWindowRead read = read_of(window, *sizes, window.outputs[window.chosen]);
  for (const SlidingWindowTap& tap : read.taps) {
    const bool inside = tap.input != SlidingWindowTap::kPadding;
    const auto value = [&](const TensorExhibit& tensor, std::int64_t at) {
      return element_text(tensor, static_cast<std::uint64_t>(at));
    };
    table.rows.push_back({std::to_string(tap.channel), std::to_string(tap.place.row),
                          std::to_string(tap.place.column), inside ? std::to_string(tap.input) : "",
                          std::to_string(tap.weight), inside ? value(window.input, tap.input) : "",
                          std::to_string(tap.reads), value(window.weights, tap.weight)});
  }
  for (const std::int64_t stray : read.astray)
    table.rows.push_back({"", "", "", std::to_string(stray), "", "", "", ""});
  return table;
}

// The outputs are compared as the tensor that they make up.
void compare(const SlidingWindowExhibit&, const SlidingWindowExhibit&, Comparer&) {}

void extras(JsonExtras& json, const SlidingWindowExhibit::Output& output,
            const SlidingWindowExhibit& whole) {
  const auto read = [&] {
    const auto sizes = sizes_of(whole);
    return sizes ? read_of(whole, *sizes, output) : SlidingWindowRead{};
  };
  json("missing", [&] { return read().missing; });
  json("astray", [&] { return read().astray; });
  json("padding", [&] { return read().padding; });
  json("pairing", [&] { return read().pairing; });
}

bool valid(const SlidingWindowExhibit& v) {
  const auto element = [](const SlidingWindowExhibit::Output& output) { return output.element; };
  std::uint64_t outputs = 0;
  if (__builtin_mul_overflow(v.out_rows, v.out_columns, &outputs) ||
      __builtin_mul_overflow(outputs, v.filters, &outputs))
    return false;
  const bool in_order = std::ranges::adjacent_find(v.outputs, std::ranges::greater_equal{},
                                                   element) == v.outputs.end();
  return in_order && (v.outputs.empty() || v.outputs.back().element < outputs) &&
         is_choice(v.chosen, v.outputs.size());
}

}  // namespace warpbook::lab
