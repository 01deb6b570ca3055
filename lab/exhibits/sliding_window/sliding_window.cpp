#include "lab/exhibits/sliding_window/sliding_window_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/sentence_parts.hpp"

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
  if (window.chosen >= window.outputs.size()) return strings("sliding_window.nobody");
  const SlidingWindowExhibit::Output& output = window.outputs[window.chosen];
  const OutputPlace place = place_of(window, *sizes, output.element);
  std::vector<std::string> parts{
      strings("sliding_window.output", {{"place", output_text(place)},
                                        {"filter", std::to_string(place.filter)},
                                        {"value", number(output.value, 6)},
                                        {"thread", grouped(output.thread)},
                                        {"block", grouped(output.block)}})};
  tell_reads(window, *sizes, read_of(window, *sizes, output), strings, parts);
  if (output.wrong) parts.push_back(strings("sliding_window.wrong"));
  const auto column = static_cast<std::uint64_t>(place.row * sizes->out_columns + place.column);
  parts.push_back(strings(window.channels_last ? "sliding_window.row" : "sliding_window.column",
                          {{"number", grouped(column)},
                           {"taps", grouped(static_cast<std::uint64_t>(sizes->taps()))},
                           {"windows", grouped(static_cast<std::uint64_t>(sizes->windows()))}}));
  return sentences(strings, parts);
}

}  // namespace warpbook::lab
