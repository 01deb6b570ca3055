#include "lab/exhibits/sliding_window/sliding_window_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kHtmlSlidingWindowWidth = 768;

std::string picture_note(const std::string& text) { return tagged("p", "wb-more", escaped(text)); }

}  // namespace

std::string html_body(const SlidingWindowExhibit& window, const Strings& strings,
                      const std::string& caption) {
  const auto sizes = sizes_of(window);
  if (!sizes || window.chosen >= window.outputs.size()) return {};
  const auto& chosen = window.outputs[window.chosen];
  const SlidingWindowLayout layout(window, *sizes, chosen, kHtmlSlidingWindowWidth);
  std::string html = svg_of(drawing_of(window, layout, {&chosen, &chosen},
                                       svg_canvas(kHtmlSlidingWindowWidth, strings)),
                            caption) +
                     picture_note(strings("sliding_window.legend-picture"));
  if (sizes->channels > 1) {
    html += picture_note(
        strings("sliding_window.first-channel", {{"channels", std::to_string(sizes->channels)}}));
  }
  if (layout.view.taps.count < sizes->taps()) {
    html +=
        picture_note(counted(strings, "sliding_window.more-rows",
                             static_cast<std::uint64_t>(sizes->taps() - layout.view.taps.count)));
  }
  return html;
}

}  // namespace warpbook::lab
