#include "lab/exhibits/product/product_picture.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace warpbook::lab {
namespace {

constexpr double kProductHead = 20, kBetweenMatrices = 12, kWidestProductCell = 22,
                 kTallestProduct = 470, kProductDigitsFrom = 17, kProductGapFrom = 5;
constexpr Letters kProductHeading{Letters::Face::sans, 13}, kProductDigits{Letters::Face::mono, 9};

class ProductDrawing {
 public:
  ProductDrawing(const ProductExhibit& product, const ProductLayout& layout, std::uint32_t thread,
                 const Canvas& canvas)
      : product_(product), layout_(layout), thread_(find_thread(product, thread)), canvas_(canvas) {
    drawing_.width = layout.width();
    drawing_.height = layout.height();
    place_head(layout.a(), "a", product.rows, product.depth);
    place_head(layout.b(), "b", product.depth, product.columns);
    place_factor(layout.a(), product.depth, counts_of_a(product));
    place_factor(layout.b(), product.columns, counts_of_b(product));
    place_results();
    if (!thread_) return;
    mark(layout.a(), product.depth, thread_->a);
    mark(layout.b(), product.columns, thread_->b);
    mark(layout.c(), product.columns, thread_->results);
  }
  Drawing take() { return std::move(drawing_); }

 private:
  void place_head(const Area& matrix, const char* name, std::uint32_t rows, std::uint32_t columns) {
    drawing_.text({matrix.x, matrix.y - kProductHead / 2},
                  canvas_.strings("product.matrix", {{"name", name},
                                                     {"rows", std::to_string(rows)},
                                                     {"columns", std::to_string(columns)}}),
                  kProductHeading, Role::t3);
  }

  /// The same for all pictures, so that they can be compared: from one thread to as many as a warp has.
  static double brightness_of(std::uint32_t users) {
    constexpr double kOfOne = 0.5;  // bright enough for a mark to be seen on it
    return std::min(1.0, kOfOne + (1 - kOfOne) * std::log2(users) / std::log2(device::kLanes));
  }

  /// The brighter, the more threads of the block use the element.
  void place_factor(const Area& matrix, std::uint32_t columns, const FactorCounts& counts) {
    for (std::uint32_t element = 0; element < counts.users.size(); ++element) {
      const Area at = layout_.at(matrix, columns, element);
      const std::uint32_t users = counts.users[element];
      if (users == 0) {
        drawing_.rectangle(at, Role::s4);
        continue;
      }
      const Rgb fill = sequence_colour(brightness_of(users));
      drawing_.rectangle(at, Paint::of_value(fill));
      if (users > 1) number(at, users, Paint::of_value(ink_on(fill)));
    }
  }

  void place_results() {
    const std::vector<std::uint32_t> owners = owners_of(product_);
    for (std::uint32_t element = 0; element < owners.size(); ++element) {
      const Area at = layout_.at(layout_.c(), product_.columns, element);
      if (owners[element] == kNoThread) {
        drawing_.rectangle(at, Role::s4);
        continue;
      }
      drawing_.rectangle(at, {category(owners[element] / device::kLanes), 0.5});
      number(at, owners[element], Role::t1);
    }
  }

  void number(const Area& at, std::uint32_t value, const Paint& ink) {
    if (layout_.cell() < kProductDigitsFrom) return;
    const std::string text = std::to_string(value);
    if (canvas_.text_width(kProductDigits, text) <= at.width)
      drawing_.text(at.middle(), text, kProductDigits, ink, Anchor::middle);
  }

  /// Neighbours in a row, and rows below each other that have the same ones.
  struct Frame {
    std::uint32_t first = 0, last = 0;  ///< elements at two corners
  };
  static std::vector<Frame> frames_of(std::uint32_t columns,
                                      std::span<const std::uint32_t> elements) {
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < elements.size();) {
      std::size_t end = i + 1;
      while (end < elements.size() && elements[end] == elements[end - 1] + 1 &&
             elements[end] % columns != 0)
        ++end;
      const Frame run{elements[i], elements[end - 1]};
      i = end;
      // The frame that this run continues: it ends in the row above, and is as wide.
      const auto above = std::ranges::find_if(frames, [&](const Frame& frame) {
        return frame.last + columns == run.last && frame.first % columns == run.first % columns;
      });
      if (above == frames.end())
        frames.push_back(run);
      else
        above->last = run.last;
    }
    return frames;
  }

  void mark(const Area& matrix, std::uint32_t columns, std::span<const std::uint32_t> elements) {
    for (const Frame& frame : frames_of(columns, elements)) {
      const Area first = layout_.at(matrix, columns, frame.first),
                 last = layout_.at(matrix, columns, frame.last);
      drawing_.outline(
          Area{first.x, first.y, last.right() - first.x, last.bottom() - first.y}.grown(0.5),
          {Role::accent, layout_.cell() < kProductGapFrom ? 1.0 : 2.0});
    }
  }

  const ProductExhibit& product_;
  const ProductLayout& layout_;
  const ProductExhibit::Thread* thread_;
  const Canvas& canvas_;
  Drawing drawing_;
};

}  // namespace

ProductLayout::ProductLayout(const ProductExhibit& product, double width)
    : rows_(std::max(1u, product.rows)),
      columns_(std::max(1u, product.columns)),
      depth_(std::max(1u, product.depth)),
      width_(width) {
  const double across = (width - kBetweenMatrices) / (depth_ + columns_),
               down = (kTallestProduct - 2 * kProductHead) / (depth_ + rows_);
  cell_ = std::clamp(std::floor(2 * std::min(across, down)) / 2, 1.0, kWidestProductCell);
}

Area ProductLayout::a() const {
  return {0, kProductHead + depth_ * cell_ + kProductHead, depth_ * cell_, rows_ * cell_};
}
Area ProductLayout::b() const {
  return {a().right() + kBetweenMatrices, kProductHead, columns_ * cell_, depth_ * cell_};
}
Area ProductLayout::c() const { return {b().x, a().y, columns_ * cell_, rows_ * cell_}; }

Area ProductLayout::at(const Area& matrix, std::uint32_t columns, std::uint32_t element) const {
  const double gap = cell_ < kProductGapFrom ? 0.5 : 1;
  const std::uint32_t row = element / columns, column = element % columns;
  return {matrix.x + column * cell_, matrix.y + row * cell_, cell_ - gap, cell_ - gap};
}

std::optional<std::uint32_t> ProductLayout::result_at(const Point& point) const {
  const Area all = c();
  if (!all.holds(point)) return {};
  const auto column = std::min(columns_ - 1, static_cast<std::uint32_t>((point.x - all.x) / cell_)),
             row = std::min(rows_ - 1, static_cast<std::uint32_t>((point.y - all.y) / cell_));
  return row * columns_ + column;
}

Drawing drawing_of(const ProductExhibit& product, const ProductLayout& layout, std::uint32_t thread,
                   const Canvas& canvas) {
  return ProductDrawing(product, layout, thread, canvas).take();
}

}  // namespace warpbook::lab
