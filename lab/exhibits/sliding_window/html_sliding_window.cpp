#include <algorithm>

#include "lab/exhibits/sliding_window/sliding_window_summary.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg.hpp"

namespace warpbook::lab {
namespace {

constexpr SlidingWindowRoom kHtmlWindowRoom{10, 10, 27, 48};
constexpr double kHtmlWindowCell = 26, kSmall = 15, kHtmlWindowTitle = 20, kHtmlWindowGap = 28;
constexpr int kHtmlWindowSteps = 10;  ///< of a sequence of colours

class HtmlWindowPicture {
 public:
  HtmlWindowPicture(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                    const Strings& strings)
      : window_(window),
        sizes_(sizes),
        strings_(strings),
        output_(window.outputs[window.chosen]),
        place_(place_of(window, sizes, output_.element)),
        read_(read_of(window, sizes, output_)),
        view_(view_of(window, sizes, place_, kHtmlWindowRoom)) {
    for (const SlidingWindowExhibit::Output& one : window_.outputs) {
      if (!(one.value - one.value == 0)) continue;  // not finite: no place on the scale
      low_ = any_ ? std::min(low_, one.value) : one.value;
      high_ = any_ ? std::max(high_, one.value) : one.value;
      any_ = true;
    }
  }

  std::string draw(const std::string& caption) {
    double x = input(0);
    x = filter(x + kHtmlWindowGap);
    x = outputs(x + kHtmlWindowGap);
    const double top = bottom_ + kHtmlWindowGap;
    width_ = std::max(width_, x);
    matrix(top);
    return svg_open(width_, bottom_, caption) + svg_ + "</svg>" +
           tagged("p", "wb-more", escaped(strings_("sliding_window.legend-picture"))) +
           first_channel();
  }

 private:
  [[nodiscard]] std::string first_channel() const {
    if (sizes_.channels < 2) return {};
    return tagged("p", "wb-more",
                  escaped(strings_("sliding_window.first-channel",
                                   {{"channels", std::to_string(sizes_.channels)}})));
  }
  void rectangle(const std::string& css, double x, double y, double size) {
    svg_ += svg_rectangle(css, x, y, size - 1, size - 1);
    bottom_ = std::max(bottom_, y + size);
  }
  void text(const std::string& css, double x, double y, const std::string& words) {
    svg_ += svg_text(css, x, y, words);
  }
  void cell(const std::string& css, double x, double y, const std::string& words) {
    rectangle(css, x, y, kHtmlWindowCell);
    text("wb-value", x + kHtmlWindowCell / 2, y + kHtmlWindowCell - 9, words);
  }

  double input(double left) {
    text("wb-head", left, 12,
         strings_("sliding_window.input", {{"name", window_.input.name}, {"channel", "0"}}));
    for (std::int64_t r = 0; r < view_.rows.count; ++r) {
      for (std::int64_t c = 0; c < view_.columns.count; ++c) {
        const std::int64_t row = view_.rows.first + r, column = view_.columns.first + c;
        const std::int64_t at = input_element(window_, sizes_, {0, row, column});
        const auto tap = std::ranges::find_if(read_.taps, [&](const SlidingWindowTap& t) {
          return t.channel == 0 && t.place.row == row && t.place.column == column;
        });
        std::string css = at < 0 ? "wb-pad" : "wb-plane";
        if (tap != read_.taps.end()) css += at >= 0 && tap->reads == 0 ? " wb-unread" : " wb-in";
        if (at >= 0 && std::ranges::find(read_.astray, at) != read_.astray.end())
          css += " wb-astray";
        cell(css, left + static_cast<double>(c) * kHtmlWindowCell,
             kHtmlWindowTitle + static_cast<double>(r) * kHtmlWindowCell,
             at < 0 ? "0" : cell_text(window_.input, at));
      }
    }
    return left + static_cast<double>(view_.columns.count) * kHtmlWindowCell;
  }

  double filter(double left) {
    text("wb-head", left, 12,
         strings_("sliding_window.filter", {{"filter", std::to_string(place_.filter)}}));
    const std::int64_t rows = std::min(sizes_.tap_rows, kHtmlWindowRoom.cells),
                       columns = std::min(sizes_.tap_columns, kHtmlWindowRoom.cells);
    for (const SlidingWindowTap& tap : read_.taps) {
      if (tap.channel != 0 || tap.row >= rows || tap.column >= columns) continue;
      const double value = element(window_.weights, static_cast<std::uint64_t>(tap.weight));
      cell(value < 0   ? "wb-minus"
           : value > 0 ? "wb-plus"
                       : "wb-plane",
           left + static_cast<double>(tap.column) * kHtmlWindowCell,
           kHtmlWindowTitle + static_cast<double>(tap.row) * kHtmlWindowCell,
           cell_text(window_.weights, tap.weight));
    }
    return left + std::max(80.0, static_cast<double>(columns) * kHtmlWindowCell);
  }

  [[nodiscard]] std::string step_of(const SlidingWindowExhibit::Output& one) const {
    if (!(one.value - one.value == 0)) return "wb-broken";
    const double share = high_ > low_ ? (one.value - low_) / (high_ - low_) : 0.5;
    return "wb-h" + std::to_string(std::clamp(static_cast<int>(share * kHtmlWindowSteps), 0,
                                              kHtmlWindowSteps - 1));
  }

  double outputs(double left) {
    text("wb-head", left, 12,
         strings_("sliding_window.outputs", {{"filter", std::to_string(place_.filter)}}));
    for (std::int64_t r = 0; r < view_.out_rows.count; ++r) {
      for (std::int64_t c = 0; c < view_.out_columns.count; ++c) {
        const OutputPlace at{place_.filter, view_.out_rows.first + r, view_.out_columns.first + c};
        const auto* one = find_output(window_, output_element(window_, sizes_, at));
        std::string css = one ? step_of(*one) : "wb-nobody";
        if (one && one->wrong) css += " wb-wrong";
        if (one == &output_) css += " wb-in";
        cell(css, left + static_cast<double>(c) * kHtmlWindowCell,
             kHtmlWindowTitle + static_cast<double>(r) * kHtmlWindowCell,
             one ? figure(one->value, 3) + (one->wrong ? "!" : "") : "");
      }
    }
    return left + std::max(80.0, static_cast<double>(view_.out_columns.count) * kHtmlWindowCell);
  }

  void matrix(double top) {
    text("wb-head", 0, top + 12,
         strings_("sliding_window.matrix",
                  {{"taps", grouped(static_cast<std::uint64_t>(sizes_.taps()))},
                   {"windows", grouped(static_cast<std::uint64_t>(sizes_.windows()))},
                   {"first", grouped(static_cast<std::uint64_t>(view_.windows.first))}}));
    const std::int64_t chosen = place_.row * sizes_.out_columns + place_.column;
    for (std::int64_t t = 0; t < view_.taps.count; ++t) {
      for (std::int64_t o = 0; o < view_.windows.count; ++o) {
        const std::int64_t at = view_.windows.first + o;
        const std::int64_t input = column_cell(window_, sizes_, view_.taps.first + t, at);
        const double x = static_cast<double>(o) * kSmall,
                     y = top + kHtmlWindowTitle + static_cast<double>(t) * kSmall;
        std::string css = input < 0 ? "wb-pad" : "wb-plane";
        if (at == chosen) {
          const SlidingWindowTap& tap = read_.taps[static_cast<std::size_t>(view_.taps.first + t)];
          css += input >= 0 && tap.reads == 0 ? " wb-unread" : " wb-in";
        }
        rectangle(css, x, y, kSmall);
        if (input < 0) continue;
        const std::string words = cell_text(window_.input, input);
        if (words.size() <= 2) text("wb-value wb-tiny", x + kSmall / 2, y + kSmall - 5, words);
      }
    }
    width_ = std::max(width_, static_cast<double>(view_.windows.count) * kSmall);
    if (view_.taps.count < sizes_.taps()) {
      bottom_ += 18;
      text("wb-head", 0, bottom_ - 4,
           counted(strings_, "sliding_window.more-rows",
                   static_cast<std::uint64_t>(sizes_.taps() - view_.taps.count)));
    }
  }

  const SlidingWindowExhibit& window_;
  const SlidingWindowSizes& sizes_;
  const Strings& strings_;
  const SlidingWindowExhibit::Output& output_;
  OutputPlace place_;
  SlidingWindowRead read_;
  SlidingWindowView view_;
  std::string svg_;
  double bottom_ = 0, width_ = 420, low_ = 0, high_ = 0;
  bool any_ = false;
};

}  // namespace

std::string html_body(const SlidingWindowExhibit& window, const Strings& strings,
                      const std::string& caption) {
  const auto sizes = sizes_of(window);
  if (!sizes || window.chosen >= window.outputs.size()) return {};
  return HtmlWindowPicture(window, *sizes, strings).draw(caption);
}

}  // namespace warpbook::lab
