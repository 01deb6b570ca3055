#include <algorithm>

#include "lab/exhibits/tensor/tensor_picture.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kMostRows = 16;
constexpr std::size_t kMostWrong = 8;  ///< named one by one where they are not among the cells
constexpr int kIndent = 2;

/// A tensor as rows: the last dimension along the row, all others folded into rows; a list is broken into rows.
class TensorGrid {
 public:
  TensorGrid(const TensorExhibit& tensor, int width) : tensor_(tensor), elements_(held(tensor)) {
    const bool list = tensor.shape.size() < 2;
    const std::uint64_t natural = list ? elements_ : tensor.shape.back();
    label_columns_ = static_cast<int>(label(elements_ == 0 ? 0 : elements_ - 1).size()) + 1;
    cell_columns_ = widest_of_first();
    const int room = width - kIndent - label_columns_;
    const auto fitting = static_cast<std::uint64_t>(std::max(1, room / (cell_columns_ + 1)));
    row_length_ = std::max<std::uint64_t>(1, natural);
    shown_ = std::min(row_length_, fitting);
    if (list && row_length_ > fitting) {
      shown_ = 1;
      while (shown_ * 2 <= fitting)
        shown_ *= 2;  // rows that begin at round indices are easier to count in
      row_length_ = shown_;
    }
    rows_ = std::min(kMostRows, (elements_ + row_length_ - 1) / row_length_);
  }

  void draw(Page& page, const std::vector<std::uint64_t>& wrong) const {
    for (std::uint64_t row = 0; row < rows_; ++row) {
      const std::uint64_t first = row * row_length_;
      std::string text(kIndent, ' ');
      text += page.ink(Ink::quiet, padded_left(label(first), label_columns_ - 1)) + " ";
      for (std::uint64_t i = first; i < std::min(first + shown_, elements_); ++i) {
        const bool bad = std::ranges::binary_search(wrong, i);
        const std::string cell =
            padded_left(element_figure(tensor_, i) + (bad ? "✗" : ""), cell_columns_);
        text += " " + page.ink(bad ? Ink::bad : Ink::plain, cell);
      }
      if (shown_ < row_length_) text += page.ink(Ink::quiet, " …");
      page.line(text);
    }
  }

  [[nodiscard]] bool shows(std::uint64_t index) const {
    return index / row_length_ < rows_ && index % row_length_ < shown_;
  }
  [[nodiscard]] std::uint64_t hidden() const {
    std::uint64_t visible = 0;
    for (std::uint64_t row = 0; row < rows_; ++row) {
      visible += std::min(shown_, elements_ - std::min(elements_, row * row_length_));
    }
    return elements_ - visible;
  }

 private:
  /// The index at which a row begins, one number a dimension.
  [[nodiscard]] std::string label(std::uint64_t first) const {
    if (tensor_.shape.size() < 2) return "[" + std::to_string(first) + "]";
    std::string text;
    std::uint64_t rest = first / std::max<std::uint64_t>(1, tensor_.shape.back());
    for (std::size_t d = tensor_.shape.size() - 1; d-- > 0;) {
      const std::uint64_t extent = std::max<std::uint64_t>(1, tensor_.shape[d]);
      text.insert(0, "[" + std::to_string(rest % extent) + "]");
      rest /= extent;
    }
    return text;
  }

  /// Columns of the widest cell among those that can be shown at all, with room for the mark of a wrong one.
  [[nodiscard]] int widest_of_first() const {
    const bool list = tensor_.shape.size() < 2;
    const std::uint64_t row = list ? 32 : std::max<std::uint64_t>(1, tensor_.shape.back());
    int widest = 1;
    for (std::uint64_t r = 0; r < kMostRows; ++r) {
      for (std::uint64_t c = 0; c < std::min<std::uint64_t>(row, 64) && r * row + c < elements_;
           ++c) {
        widest = std::max(widest, columns_of(element_figure(tensor_, r * row + c)));
      }
    }
    return widest + (tensor_.wrong.empty() ? 0 : 1);
  }

  const TensorExhibit& tensor_;
  std::uint64_t elements_, row_length_ = 1, shown_ = 1, rows_ = 0;
  int label_columns_ = 0, cell_columns_ = 1;
};

/// The first of those that the cells do not show, or only as a mark.
void name_wrong(const TensorExhibit& tensor, const std::vector<std::uint64_t>& wrong,
                const Strings& strings, Page& page) {
  const bool table = view_of(tensor) == TensorExhibit::View::table;
  std::string text = strings(table ? "tensor.wrong-below" : "tensor.wrong-marked");
  for (std::size_t i = 0; i < std::min(wrong.size(), kMostWrong); ++i) {
    text += (i == 0 ? " " : ", ") + tensor.name + "[" + std::to_string(wrong[i]) +
            "] = " + element_figure(tensor, wrong[i]);
  }
  if (wrong.size() > kMostWrong)
    text += " " + counted(strings, "tensor.more-wrong", wrong.size() - kMostWrong);
  page.paragraph(text, kIndent, Ink::bad);
}

}  // namespace

void text_body(const TensorExhibit& tensor, const Strings& strings, Page& page) {
  if (held(tensor) == 0) return;
  std::vector<std::uint64_t> below = tensor.wrong;
  std::ranges::sort(below);
  switch (const TensorExhibit::View view = view_of(tensor)) {
    case TensorExhibit::View::plot: text_plot(tensor, strings, page); break;
    case TensorExhibit::View::heat:
    case TensorExhibit::View::image: text_heat(tensor, view, strings, page); break;
    case TensorExhibit::View::automatic:
    case TensorExhibit::View::table: {
      const TensorGrid grid(tensor, page.width());
      grid.draw(page, below);
      if (grid.hidden() != 0)
        page.paragraph(counted(strings, "tensor.more", grid.hidden()), kIndent, Ink::quiet);
      std::erase_if(below, [&](std::uint64_t i) { return grid.shows(i); });
    }
  }
  std::erase_if(below, [&](std::uint64_t i) { return i >= held(tensor); });
  if (!below.empty()) name_wrong(tensor, below, strings, page);
}

}  // namespace warpbook::lab
