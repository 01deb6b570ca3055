#include "lab/exhibits/window/window_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/sentence_parts.hpp"

namespace warpbook::lab {
namespace {

void tell_reads(const WindowExhibit& window, const WindowSizes& sizes, const WindowRead& read,
                const Strings& strings, std::vector<std::string>& parts) {
  const auto in_image = static_cast<std::uint64_t>(sizes.taps()) - read.padding;
  parts.push_back(strings(read.padding == 0 ? "window.read" : "window.read-padded",
                          {{"read", grouped(in_image - read.missing)},
                           {"taps", grouped(in_image)},
                           {"padding", counted(strings, "window.padding", read.padding)}}));
  if (!read.astray.empty()) {
    const std::int64_t first = read.astray.front();
    const bool inside = first >= 0 && first < static_cast<std::int64_t>(count(window.input));
    const InputPlace at = inside ? input_place(window, sizes, first) : InputPlace{};
    parts.push_back(counted(strings, "window.astray", read.astray.size()));
    parts.push_back(strings(inside ? "window.astray-first" : "window.astray-outside",
                            {{"row", std::to_string(at.row)},
                             {"column", std::to_string(at.column)},
                             {"channel", std::to_string(at.channel)},
                             {"element", std::to_string(first)},
                             {"name", window.input.name}}));
  }
  if (read.repeated != 0) parts.push_back(counted(strings, "window.repeated", read.repeated));
  switch (read.pairing) {
    case WindowRead::Pairing::unknown: break;
    case WindowRead::Pairing::as_it_stands: parts.push_back(strings("window.straight")); break;
    case WindowRead::Pairing::flipped: parts.push_back(strings("window.flipped")); break;
    case WindowRead::Pairing::other: parts.push_back(strings("window.crossed")); break;
  }
}

}  // namespace

std::string sentence_of(const WindowExhibit& window, const Strings& strings) {
  const auto sizes = sizes_of(window);
  if (!sizes) return strings("window.unfit");
  if (window.chosen >= window.outputs.size()) return strings("window.nobody");
  const WindowExhibit::Output& output = window.outputs[window.chosen];
  const OutputPlace place = place_of(window, *sizes, output.element);
  std::vector<std::string> parts{strings("window.output", {{"place", output_text(place)},
                                                           {"filter", std::to_string(place.filter)},
                                                           {"value", number(output.value, 6)},
                                                           {"thread", grouped(output.thread)},
                                                           {"block", grouped(output.block)}})};
  tell_reads(window, *sizes, read_of(window, *sizes, output), strings, parts);
  if (output.wrong) parts.push_back(strings("window.wrong"));
  const auto column = static_cast<std::uint64_t>(place.row * sizes->out_columns + place.column);
  parts.push_back(strings(window.channels_last ? "window.row" : "window.column",
                          {{"number", grouped(column)},
                           {"taps", grouped(static_cast<std::uint64_t>(sizes->taps()))},
                           {"windows", grouped(static_cast<std::uint64_t>(sizes->windows()))}}));
  return sentences(strings, parts);
}

}  // namespace warpbook::lab
