#include "lab/exhibits/bars/bars_picture.hpp"

#include <algorithm>

namespace warpbook::lab {
namespace {

using Bar = BarsExhibit::Bar;
using BarGroup = BarsExhibit::Group;

constexpr double kBarRow = 26, kBarThick = 12, kMeaningLine = 19, kAfterMeaning = 4,
                 kBarGroupGap = 14, kAfterLabel = 12, kBeforeValue = 10, kBarColumnGap = 24,
                 kMostLabelShare = 0.36, kLeastBarColumn = 120, kLeastBarRoom = 48,
                 kBarStrength = 0.7,
                 kLeastBar = 2;  ///< what is above 0 always shows
constexpr Letters kBarLabel{Letters::Face::sans, 14}, kMeaning{Letters::Face::sans, 13},
    kBarValue{Letters::Face::mono, 13};

class BarsDrawing {
 public:
  BarsDrawing(const BarsExhibit& bars, const BarsExhibit* beside, const Canvas& canvas)
      : bars_(bars), beside_(beside), canvas_(canvas) {
    drawing_.width = canvas.width;
    measure_columns();
    if (const std::size_t columns = groups_in_a_row(); columns > 1)
      place_rows(columns);
    else
      place_groups();
    drawing_.height = std::max(0.0, y_);
  }
  Drawing take() { return std::move(drawing_); }

 private:
  void measure_columns() {
    for (const BarGroup& group : bars_.groups) {
      for (const Bar& bar : group.bars) {
        label_ = std::max(label_, canvas_.text_width(kBarLabel, canvas_.strings(bar.label)));
        value_ = std::max(value_, canvas_.text_width(kBarValue, bar.text));
      }
    }
    label_ = std::min(label_ + kAfterLabel, kMostLabelShare * canvas_.width);
    value_ += kBeforeValue;
  }

  [[nodiscard]] double column_width(std::size_t columns) const {
    const auto count = static_cast<double>(columns);
    return (canvas_.width - label_ - kBarColumnGap * (count - 1)) / count;
  }
  /// So many that the rows are as few as they can be, and as even as they can be then.
  [[nodiscard]] std::size_t groups_in_a_row() const {
    const std::size_t groups = bars_.groups.size();
    if (!have_same_labels(bars_)) return 1;
    // Long values, such as a time with its range, leave room for fewer columns.
    const double least = std::max(kLeastBarColumn, value_ + kLeastBarRoom);
    std::size_t most = groups;
    while (most > 1 && column_width(most) < least) --most;
    const std::size_t rows = (groups + most - 1) / most;
    return (groups + rows - 1) / rows;
  }

  void place_groups() {
    for (std::size_t i = 0; i < bars_.groups.size(); ++i) {
      if (i > 0) y_ += kBarGroupGap;
      const std::vector<std::string> meaning = meaning_of(i, canvas_.width);
      say(meaning, 0, y_);
      y_ += height_of(meaning);
      for (const Bar& bar : bars_.groups[i].bars) {
        place_label(bar, y_ + kBarRow / 2);
        place_bar(i, bar, label_, canvas_.width, y_ + kBarRow / 2);
        y_ += kBarRow;
      }
    }
  }

  void place_rows(std::size_t columns) {
    for (std::size_t first = 0; first < bars_.groups.size(); first += columns) {
      if (first > 0) y_ += kBarGroupGap;
      place_row(first, std::min(first + columns, bars_.groups.size()), column_width(columns));
    }
  }
  /// The groups from `first` to before `end`, each in a column.
  void place_row(std::size_t first, std::size_t end, double wide) {
    std::vector<std::vector<std::string>> meanings;
    double head = 0;
    for (std::size_t i = first; i < end; ++i) {
      meanings.push_back(meaning_of(i, wide));
      head = std::max(head, height_of(meanings.back()));
    }
    for (std::size_t i = first; i < end; ++i) {
      const double left = label_ + static_cast<double>(i - first) * (wide + kBarColumnGap);
      say(meanings[i - first], left, y_);
      double middle = y_ + head + kBarRow / 2;
      for (const Bar& bar : bars_.groups[i].bars) {
        if (i == first) place_label(bar, middle);
        place_bar(i, bar, left, left + wide, middle);
        middle += kBarRow;
      }
    }
    y_ += head + kBarRow * static_cast<double>(bars_.groups[first].bars.size());
  }

  [[nodiscard]] std::vector<std::string> meaning_of(std::size_t group, double room) const {
    const BarGroup& one = bars_.groups[group];
    if (one.meaning.empty()) return {};
    return canvas_.lines(kMeaning, canvas_.strings(one.meaning), room);
  }
  static double height_of(const std::vector<std::string>& lines) {
    return lines.empty() ? 0 : kMeaningLine * static_cast<double>(lines.size()) + kAfterMeaning;
  }
  void say(const std::vector<std::string>& lines, double left, double top) {
    for (const std::string& line : lines) {
      drawing_.text({left, top + kMeaningLine / 2}, line, kMeaning, Role::t3);
      top += kMeaningLine;
    }
  }

  void place_label(const Bar& bar, double middle) {
    const double room = label_ - kAfterLabel;
    const std::string label = canvas_.strings(bar.label);
    const Letters letters = canvas_.sized(kBarLabel, label, room, 11);
    drawing_.text({0, middle}, canvas_.fitted(letters, label, room), letters, Role::t2);
  }

  void place_bar(std::size_t group, const Bar& bar, double left, double right, double middle) {
    const double room = std::max(0.0, right - left - value_),
                 end = end_of_scale(bars_, group, beside_);
    drawing_.rectangle({left, middle - kBarThick / 2, room, kBarThick}, Role::s3, 2);
    if (end > 0 && bar.value > 0 && room > 0) {
      const double length =
          std::clamp(bar.value / end * room, kLeastBar, std::max(kLeastBar, room));
      drawing_.rectangle({left, middle - kBarThick / 2, length, kBarThick},
                         {category(group), kBarStrength}, 2);
    }
    drawing_.text({right, middle}, bar.text, kBarValue, Role::t1, Anchor::right);
  }

  const BarsExhibit& bars_;
  const BarsExhibit* beside_;
  const Canvas& canvas_;
  double label_ = 0, value_ = 0, y_ = 0;
  Drawing drawing_;
};

}  // namespace

Drawing drawing_of(const BarsExhibit& bars, const BarsExhibit* beside, const Canvas& canvas) {
  return BarsDrawing(bars, beside, canvas).take();
}

}  // namespace warpbook::lab
