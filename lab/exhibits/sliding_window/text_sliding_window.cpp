#include <algorithm>
#include <functional>

#include "lab/exhibits/sliding_window/sliding_window_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr SlidingWindowRoom kTextWindowRoom{10, 8, 27, 64};
constexpr int kTextWindowIndent = 2, kTextWindowGap = 3;
constexpr std::size_t kMostTerms = 32;

/// A titled grid of short texts.
struct Block {
  std::vector<std::string> lines;
  int width = 0;
  void add(std::string line) {
    width = std::max(width, columns_of(line));
    lines.push_back(std::move(line));
  }
};

/// What stands round a value: a pair of signs.
std::string marked(const std::string& text, std::string_view signs, int width) {
  return padded_left(std::string(1, signs[0]) + text + std::string(1, signs[1]), width);
}

Block grid(std::string title, const ShownSpan& rows, const ShownSpan& columns,
           const std::function<std::pair<std::string, std::string_view>(std::int64_t,
                                                                        std::int64_t)>& cell) {
  std::vector<std::vector<std::string>> texts;
  int widest = 0;
  for (std::int64_t r = 0; r < rows.count; ++r) {
    texts.emplace_back();
    for (std::int64_t c = 0; c < columns.count; ++c) {
      const auto [text, signs] = cell(rows.first + r, columns.first + c);
      texts.back().push_back(marked(text, signs, 0));
      widest = std::max(widest, columns_of(texts.back().back()));
    }
  }
  Block block;
  block.add(std::move(title));
  for (const auto& row : texts) {
    std::string line;
    for (const std::string& text : row) line += padded_left(text, widest);
    block.add(std::move(line));
  }
  return block;
}

/// Blocks side by side where they fit, else one under another.
void put(const std::vector<Block>& blocks, Page& page) {
  int width = kTextWindowIndent;
  std::size_t lines = 0;
  for (const Block& block : blocks) {
    width += block.width + kTextWindowGap;
    lines = std::max(lines, block.lines.size());
  }
  const std::string indent(kTextWindowIndent, ' ');
  if (width > page.width() + kTextWindowGap) {
    for (const Block& block : blocks) {
      for (const std::string& line : block.lines) page.line(clipped(indent + line, page.width()));
    }
    return;
  }
  for (std::size_t i = 0; i < lines; ++i) {
    std::string line = indent;
    for (const Block& block : blocks)
      line += padded(i < block.lines.size() ? block.lines[i] : "", block.width + kTextWindowGap);
    line.erase(line.find_last_not_of(' ') + 1);
    page.line(line);
  }
}

class TextWindowPicture {
 public:
  TextWindowPicture(const SlidingWindowExhibit& window, const SlidingWindowSizes& sizes,
                    const Strings& strings, Page& page)
      : window_(window),
        sizes_(sizes),
        strings_(strings),
        page_(page),
        output_(window.outputs[window.chosen]),
        place_(place_of(window, sizes, output_.element)),
        read_(read_of(window, sizes, output_)),
        view_(view_of(window, sizes, place_, kTextWindowRoom)) {}

  void draw() const {
    put({input(), filter(), outputs()}, page_);
    page_.paragraph(strings_("sliding_window.legend"), kTextWindowIndent, Ink::quiet);
    if (sizes_.channels > 1) page_.paragraph(first_channel(), kTextWindowIndent, Ink::quiet);
    terms();
    matrix();
  }

 private:
  [[nodiscard]] std::string_view signs_of(const SlidingWindowTap& tap) const {
    if (tap.input == SlidingWindowTap::kPadding) return "[]";
    return tap.reads != 0 ? "[]" : "??";
  }
  [[nodiscard]] const SlidingWindowTap* tap_over(std::int64_t row, std::int64_t column) const {
    const auto found = std::ranges::find_if(read_.taps, [&](const SlidingWindowTap& tap) {
      return tap.channel == 0 && tap.place.row == row && tap.place.column == column;
    });
    return found == read_.taps.end() ? nullptr : &*found;
  }

  [[nodiscard]] std::string first_channel() const {
    return strings_("sliding_window.first-channel",
                    {{"channels", std::to_string(sizes_.channels)}});
  }
  [[nodiscard]] Block input() const {
    return grid(strings_("sliding_window.input", {{"name", window_.input.name}, {"channel", "0"}}),
                view_.rows, view_.columns, [&](std::int64_t row, std::int64_t column) {
                  const std::int64_t at = input_element(window_, sizes_, {0, row, column});
                  const std::string text = at < 0 ? "·" : cell_text(window_.input, at);
                  std::string_view signs = "  ";
                  if (const SlidingWindowTap* tap = tap_over(row, column)) signs = signs_of(*tap);
                  if (at >= 0 && std::ranges::find(read_.astray, at) != read_.astray.end())
                    signs = "!!";
                  return std::pair(text, signs);
                });
  }
  [[nodiscard]] Block filter() const {
    const ShownSpan rows = shown_span(0, sizes_.tap_rows, 0, 1, kTextWindowRoom.cells),
                    columns = shown_span(0, sizes_.tap_columns, 0, 1, kTextWindowRoom.cells);
    return grid(strings_("sliding_window.filter", {{"filter", std::to_string(place_.filter)}}),
                rows, columns, [&](std::int64_t row, std::int64_t column) {
                  const auto tap = std::ranges::find_if(read_.taps, [&](const SlidingWindowTap& t) {
                    return t.channel == 0 && t.row == row && t.column == column;
                  });
                  return std::pair(cell_text(window_.weights, tap->weight), std::string_view("  "));
                });
  }
  [[nodiscard]] Block outputs() const {
    return grid(strings_("sliding_window.outputs", {{"filter", std::to_string(place_.filter)}}),
                view_.out_rows, view_.out_columns, [&](std::int64_t row, std::int64_t column) {
                  const auto* one = find_output(
                      window_, output_element(window_, sizes_, {place_.filter, row, column}));
                  const bool chosen = row == place_.row && column == place_.column;
                  std::string text = one ? figure(one->value, 3) : "·";
                  if (one && one->wrong) text += "x";
                  return std::pair(text, std::string_view(chosen ? "[]" : "  "));
                });
  }

  /// "1 x 5 + 0 x 2 + ...": in the order in which they were read, where inputs and weights were read in pairs.
  void terms() const {
    if (output_.inputs.empty() || output_.inputs.size() != output_.weights.size()) return;
    const auto elements = static_cast<std::int64_t>(count(window_.input)),
               weights = static_cast<std::int64_t>(count(window_.weights));
    std::string terms;
    double sum = 0;
    bool complete = output_.inputs.size() <= kMostTerms;
    for (std::size_t i = 0; i < std::min(output_.inputs.size(), kMostTerms); ++i) {
      const std::int64_t input = output_.inputs[i], weight = output_.weights[i];
      const bool inside = input >= 0 && input < elements && weight >= 0 && weight < weights;
      terms += i ? " + " : "";
      terms += input < 0 || input >= elements ? "✗" : cell_text(window_.input, input);
      terms += " × ";
      terms += weight < 0 || weight >= weights ? "✗" : cell_text(window_.weights, weight);
      complete = complete && inside;
      if (inside) {
        sum += element(window_.input, static_cast<std::uint64_t>(input)) *
               element(window_.weights, static_cast<std::uint64_t>(weight));
      }
    }
    if (output_.inputs.size() > kMostTerms) terms += " + …";
    const double rest = output_.value - sum;
    page_.line();
    page_.paragraph(
        complete && !output_.wrong && rest != 0
            ? strings_("sliding_window.terms-rest",
                       {{"terms", terms}, {"sum", figure(sum, 6)}, {"rest", figure(rest, 6)}})
            : strings_("sliding_window.terms", {{"terms", terms}}),
        kTextWindowIndent);
  }

  void matrix() const {
    page_.line();
    int widest = 1;
    for (std::int64_t t = 0; t < view_.taps.count; ++t) {
      for (std::int64_t o = 0; o < view_.windows.count; ++o)
        widest = std::max(widest, columns_of(cell(t, view_.windows.first + o)));
    }
    const std::int64_t chosen = place_.row * sizes_.out_columns + place_.column,
                       room = std::max(1, (page_.width() - kTextWindowIndent) / (widest + 2));
    const ShownSpan windows = shown_span(0, sizes_.windows(), chosen, 1, room);
    put({grid(strings_("sliding_window.matrix",
                       {{"taps", grouped(static_cast<std::uint64_t>(sizes_.taps()))},
                        {"windows", grouped(static_cast<std::uint64_t>(sizes_.windows()))},
                        {"first", grouped(static_cast<std::uint64_t>(windows.first))}}),
              view_.taps, windows,
              [&](std::int64_t tap, std::int64_t at) {
                return std::pair(cell(tap, at), std::string_view(at == chosen ? "[]" : "  "));
              })},
        page_);
    if (view_.taps.count < sizes_.taps()) {
      page_.paragraph(counted(strings_, "sliding_window.more-rows",
                              static_cast<std::uint64_t>(sizes_.taps() - view_.taps.count)),
                      kTextWindowIndent, Ink::quiet);
    }
  }
  [[nodiscard]] std::string cell(std::int64_t tap, std::int64_t at) const {
    const std::int64_t input = column_cell(window_, sizes_, tap, at);
    return input < 0 ? "·" : cell_text(window_.input, input);
  }

  const SlidingWindowExhibit& window_;
  const SlidingWindowSizes& sizes_;
  const Strings& strings_;
  Page& page_;
  const SlidingWindowExhibit::Output& output_;
  OutputPlace place_;
  SlidingWindowRead read_;
  SlidingWindowView view_;
};

}  // namespace

void text_body(const SlidingWindowExhibit& window, const Strings& strings, Page& page) {
  const auto sizes = sizes_of(window);
  if (!sizes || window.chosen >= window.outputs.size()) return;
  TextWindowPicture(window, *sizes, strings, page).draw();
}

}  // namespace warpbook::lab
