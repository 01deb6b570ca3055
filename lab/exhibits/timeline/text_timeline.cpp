#include <algorithm>
#include <cmath>

#include "lab/exhibits/timeline/timeline_summary.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

using Activity = TimelineExhibit::Activity;

constexpr int kMostColumns = 100, kWidestName = 18, kColumnsPerMark = 14, kColumnsPerStep = 16;
constexpr std::size_t kMostTextRows = 24, kTextTableRows = 12, kNameColumn = 2;

/// A line of columns for each row. A column shows what took its time; a name stands where it has room.
class TextTimeline {
 public:
  TextTimeline(const TimelineExhibit& timeline, const Strings& strings, int width)
      : timeline_(timeline),
        strings_(strings),
        rows_(std::min(timeline.rows.size(), kMostTextRows)),
        items_(items_of(timeline)),
        end_(axis_end(timeline, items_)) {
    for (std::size_t row = 0; row < rows_; ++row)
      name_columns_ = std::max(name_columns_, columns_of(strings(timeline.rows[row].name)));
    name_columns_ = std::min({name_columns_, kWidestName, width / 3});
    columns_ = std::max(8, std::min(width, kMostColumns) - name_columns_ - 5);
    // A few steps do not fill a whole line.
    if (!timeline.times)
      columns_ = std::min(columns_, static_cast<int>(std::lround(end_)) * kColumnsPerStep);
    cells_.assign(rows_, std::vector<std::string>(static_cast<std::size_t>(columns_), " "));
    place_signs();
    place_names();
  }

  void print(Page& page) const {
    for (std::size_t row = 0; row < rows_; ++row) {
      std::string cells;
      for (const std::string& cell : cells_[row]) cells += cell;
      const std::string name = clipped(strings_(timeline_.rows[row].name), name_columns_);
      page.line("  " + page.ink(Ink::quiet, padded(name, name_columns_)) + " |" +
                page.ink(Ink::plain, cells));
    }
    const std::string indent(static_cast<std::size_t>(name_columns_ + 3), ' ');
    page.line(indent + "+" + std::string(static_cast<std::size_t>(columns_), '-'));
    if (timeline_.times)
      page.line(indent + " " + page.ink(Ink::quiet, marks()));
    else
      page.paragraph(strings_("timeline.order"), 2, Ink::quiet);
    page.paragraph(legend(), 2, Ink::quiet);
    if (rows_ < timeline_.rows.size())
      page.paragraph(counted(strings_, "timeline.more-rows", timeline_.rows.size() - rows_), 2,
                     Ink::quiet);
  }

 private:
  [[nodiscard]] double place_of(double at) const { return axis_share(at, end_) * columns_; }
  /// The columns from the first to behind the last that a stretch of the axis covers: one at least.
  [[nodiscard]] std::pair<int, int> columns_between(double begin, double end) const {
    constexpr double kRounding = 1e-9;
    const int first = std::min(columns_ - 1, static_cast<int>(place_of(begin) + kRounding));
    const int behind = std::min(columns_, static_cast<int>(std::ceil(place_of(end) - kRounding)));
    return {first, std::max(first + 1, behind)};
  }

  void place_signs() {
    // By row and column: how much of the column each activity takes.
    std::vector<std::vector<ActivityParts>> parts(
        rows_, std::vector<ActivityParts>(static_cast<std::size_t>(columns_), ActivityParts{}));
    for (const TimelineRun& item : items_.runs) {
      if (item.row >= rows_) continue;
      const auto [first, behind] = columns_between(item.begin, item.end);
      const auto activity = static_cast<std::size_t>(timeline_.spans[item.first].activity);
      for (int c = first; c < behind; ++c) {
        const double part =
            std::min<double>(place_of(item.end), c + 1) - std::max<double>(place_of(item.begin), c);
        // However short it is, it is there.
        parts[item.row][static_cast<std::size_t>(c)][activity] += std::max(part, 1e-12);
      }
    }
    for (std::size_t row = 0; row < rows_; ++row) {
      ActivityMixture mixture;
      for (std::size_t c = 0; c < parts[row].size(); ++c) {
        if (std::ranges::any_of(parts[row][c], [](double part) { return part > 0; }))
          cells_[row][c] = activity_sign(mixture.shown(parts[row][c]));
      }
    }
  }

  /// "███ saxpy ███"
  void place_names() {
    for (const TimelineRun& run : runs_of(timeline_).runs) {
      if (run.row >= rows_) continue;
      auto [first, behind] = columns_between(run.begin, run.end);
      // Steps have a blank between them; in time, what follows at once has the next column.
      if (!timeline_.times && behind - first > 2)
        cells_[run.row][static_cast<std::size_t>(--behind)] = " ";
      // Among more gaps than spans a name would fill what is empty.
      if (timeline_.times && run.seconds < (run.end - run.begin) / 2) continue;
      const std::string name = " " + run_name(timeline_, run) + " ";
      const int room = behind - first, wide = columns_of(name);
      if (wide + 2 > room) continue;
      auto column = static_cast<std::size_t>(first + (room - wide) / 2);
      for (std::string_view rest = name; !rest.empty();) {
        const std::string_view before = rest;
        const int taken = columns_of(take_code_point(rest));
        if (taken == 0) continue;
        cells_[run.row][column] = before.substr(0, before.size() - rest.size());
        if (taken == 2) cells_[run.row][column + 1].clear();
        column += static_cast<std::size_t>(taken);
      }
    }
  }

  [[nodiscard]] std::string marks() const {
    std::string text;
    const auto most = static_cast<std::size_t>(std::max(2, columns_ / kColumnsPerMark));
    for (const double mark : axis_marks({0, end_}, most)) {
      const std::string words = mark > 0 ? duration(mark) : "0";
      const int at = static_cast<int>(std::lround(place_of(mark)));
      const int from = std::max(0, at - (mark > 0 ? columns_of(words) / 2 : 0));
      if (from + columns_of(words) > columns_) break;
      text = padded(std::move(text), from) + words;
    }
    return text;
  }

  [[nodiscard]] std::string legend() const {
    std::string text;
    for (const Activity activity : activities_of(timeline_)) {
      if (!text.empty()) text += "   ";
      text += strings_("timeline.legend", {{"sign", std::string(activity_sign(activity))},
                                           {"what", activity_name(activity, strings_)}});
    }
    return text;
  }

  const TimelineExhibit& timeline_;
  const Strings& strings_;
  std::size_t rows_;
  TimelineRuns items_;
  double end_;
  int name_columns_ = 0, columns_ = 0;
  std::vector<std::vector<std::string>> cells_;  ///< by row and column
};

}  // namespace

void text_body(const TimelineExhibit& timeline, const Strings& strings, Page& page) {
  if (timeline.spans.empty()) return;
  TextTimeline(timeline, strings, page.width()).print(page);
  page.line();
  std::uint64_t left_out = 0;
  const double whole = whole_of(timeline);
  std::vector<std::vector<std::string>> rows{run_head(timeline, strings)};
  for (const TimelineRun& run : longest_runs(timeline, kTextTableRows, left_out))
    rows.push_back(table_row_of(timeline, run, whole, strings));
  text_rows(rows, page, timeline.times ? kNameColumn : kNameColumn + 1);
  if (left_out > 0) page.paragraph(counted(strings, "timeline.more", left_out), 2, Ink::quiet);
}

}  // namespace warpbook::lab
