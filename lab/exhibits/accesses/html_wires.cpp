// Threads in their blocks at the top, arrays below, a column an element, and a wire from a thread to each element that
// it stored. An element that a thread only read is joined by a dashed wire. What nobody wrote is an empty outline, and
// what fell outside has a column of its own beyond the array's end.
#include <algorithm>
#include <map>
#include <set>

#include "lab/exhibits/accesses/accesses_summary.hpp"
#include "lab/exhibits/tensor/tensor.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kMostThreads = 64;
constexpr std::size_t kHtmlWiresMostColumns = 72;
constexpr std::uint64_t kCategories = 7;  ///< colours of blocks, after which they repeat

constexpr double kHtmlWiresCell = 36, kCellHeight = 30, kHtmlWiresGap = 4, kBlockGap = 20;
constexpr double kThreadsTop = 28, kWireTop = kThreadsTop + kCellHeight + 6, kWireBottom = 176;
constexpr double kIndexLine = 192, kArraysTop = 204, kRow = kCellHeight + 6;
constexpr double kLetter = 9;  ///< width of one column of the mono face at 15 px

class WirePicture {
 public:
  WirePicture(const AccessesExhibit& accesses, const Strings& strings)
      : accesses_(accesses), strings_(strings) {
    threads_a_block_ = accesses.block.count();
    threads_ = accesses.grid.count() * threads_a_block_;
    find_columns();
  }

  [[nodiscard]] bool fits() const {
    return threads_ != 0 && threads_ <= kMostThreads && !columns_.empty() &&
           columns_.size() <= kHtmlWiresMostColumns;
  }

  std::string draw(const std::string& caption) {
    int widest_name = 1;
    for (const AccessesExhibit::Array& array : accesses_.arrays) {
      widest_name = std::max(widest_name, columns_of(array.tensor.name));
    }
    left_ = std::min(160.0, widest_name * kLetter + 16);
    const double threads_width = thread_x(threads_ - 1) + kHtmlWiresCell - left_;
    const double columns_width =
        static_cast<double>(columns_.size()) * (kHtmlWiresCell + kHtmlWiresGap);
    columns_left_ = left_ + std::max(0.0, (threads_width - columns_width) / 2);
    threads_left_ = std::max(0.0, (columns_width - threads_width) / 2);
    width_ = left_ + std::max(threads_width, columns_width) + kHtmlWiresGap;
    height_ = kArraysTop + kRow * static_cast<double>(accesses_.arrays.size());
    read_trace();
    return "<svg class=\"wb-wires\" role=\"img\" aria-label=\"" + escaped(caption) +
           "\" viewBox=\"0 0 " + coordinate(width_) + " " + coordinate(height_) + "\" width=\"" +
           coordinate(width_) + "\">" + wires() + threads() + indices() + arrays() + "</svg>";
  }

 private:
  /// Elements of the longest array, and the strays beside them.
  void find_columns() {
    std::uint64_t longest = 0;
    std::set<std::int64_t> elements;
    for (const AccessesExhibit::Array& array : accesses_.arrays)
      longest = std::max(longest, held(array.tensor));
    if (longest > kHtmlWiresMostColumns) return;
    for (std::uint64_t i = 0; i < longest; ++i) elements.insert(static_cast<std::int64_t>(i));
    for (const AccessesExhibit::Wire& wire : accesses_.wires) {
      if (elements.size() <= kHtmlWiresMostColumns) elements.insert(wire.element);
    }
    if (elements.size() > kHtmlWiresMostColumns) return;
    for (const std::int64_t element : elements) columns_.emplace(element, columns_.size());
  }

  [[nodiscard]] double thread_x(std::uint64_t thread) const {
    const std::uint64_t block = thread / threads_a_block_;
    return left_ + threads_left_ + static_cast<double>(thread) * (kHtmlWiresCell + kHtmlWiresGap) +
           static_cast<double>(block) * kBlockGap;
  }
  [[nodiscard]] double column_x(std::int64_t element) const {
    return columns_left_ +
           static_cast<double>(columns_.at(element)) * (kHtmlWiresCell + kHtmlWiresGap);
  }
  [[nodiscard]] std::string category(std::uint64_t thread) const {
    return "wb-c" + std::to_string(thread / threads_a_block_ % kCategories);
  }
  static std::string cell(double x, double y, const std::string& css_class) {
    return "<rect class=\"" + css_class + "\" x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) +
           "\" width=\"" + coordinate(kHtmlWiresCell) + "\" height=\"" + coordinate(kCellHeight) +
           "\" rx=\"3\" fill=\"none\" stroke=\"currentColor\"/>";
  }

  void read_trace() {
    for (const AccessesExhibit::Wire& wire : accesses_.wires) {
      const bool store = wire.kind != device::AccessKind::load;
      Joined& join = joined_[{thread_of(accesses_, wire), wire.element}];
      if (store || join.name.empty()) join.name = accesses_.arrays[wire.array].tensor.name;
      join.store = join.store || store;
      join.stray = join.stray || is_stray(accesses_, wire);
      busy_.insert(thread_of(accesses_, wire));
      if (store) writer_[{wire.array, wire.element}] = thread_of(accesses_, wire);
    }
  }

  std::string wires() const {
    std::string svg;
    for (const auto& [ends, join] : joined_) {
      const double from = thread_x(ends.first) + kHtmlWiresCell / 2,
                   to = column_x(ends.second) + kHtmlWiresCell / 2;
      const double bend = (kWireTop + kWireBottom) / 2;
      const std::string css_class = std::string("wb-wire ") +
                                    (join.stray ? "wb-bad" : category(ends.first)) +
                                    (join.store ? "" : " wb-read");
      svg += "<path class=\"" + css_class + "\" fill=\"none\" stroke=\"currentColor\" d=\"M" +
             coordinate(from) + " " + coordinate(kWireTop) + "C" + coordinate(from) + " " +
             coordinate(bend) + " " + coordinate(to) + " " + coordinate(bend) + " " +
             coordinate(to) + " " + coordinate(kWireBottom) + "\"><title>" +
             escaped(thread_name(strings_, ends.first, threads_a_block_) +
                     (join.store ? " → " : " ← ") + join.name + "[" + std::to_string(ends.second) +
                     "]") +
             "</title></path>";
    }
    return svg;
  }

  std::string threads() const {
    std::string svg;
    for (std::uint64_t thread = 0; thread < threads_; ++thread) {
      const bool idle = !accesses_.cut && !busy_.contains(thread);
      const double x = thread_x(thread);
      if (thread % threads_a_block_ == 0) {
        svg +=
            svg_text("wb-block " + category(thread), x, kThreadsTop - 10,
                     strings_("accesses.block") + " " + std::to_string(thread / threads_a_block_));
      }
      svg += cell(x, kThreadsTop, "wb-cell " + (idle ? "wb-idle" : category(thread)));
      svg += svg_text(idle ? "wb-figure wb-quiet" : "wb-figure", x + kHtmlWiresCell / 2,
                      kThreadsTop + 20, std::to_string(thread % threads_a_block_));
      if (!idle) continue;
      // An idle thread ends at a bar before the arrays, never in one.
      const double middle = x + kHtmlWiresCell / 2, end = kWireTop + 26;
      svg += "<path class=\"wb-wire wb-idle\" fill=\"none\" stroke=\"currentColor\" d=\"M" +
             coordinate(middle) + " " + coordinate(kWireTop) + "V" + coordinate(end) + "M" +
             coordinate(middle - 10) + " " + coordinate(end) + "H" + coordinate(middle + 10) +
             "\"/>";
    }
    return svg;
  }

  std::string indices() const {
    std::string svg;
    for (const auto& [element, column] : columns_) {
      svg += svg_text("wb-index", column_x(element) + kHtmlWiresCell / 2, kIndexLine,
                      typeset(std::to_string(element)));
    }
    return svg;
  }

  std::string arrays() const {
    std::string svg;
    for (std::uint32_t a = 0; a < accesses_.arrays.size(); ++a) {
      const AccessesExhibit::Array& array = accesses_.arrays[a];
      const double y = kArraysTop + kRow * a;
      svg += svg_text("wb-name", columns_left_ - 8, y + 20, array.tensor.name);
      for (const auto& [element, column] : columns_) svg += array_cell(a, array, element, y);
    }
    return svg;
  }

  std::string array_cell(std::uint32_t a, const AccessesExhibit::Array& array, std::int64_t element,
                         double y) const {
    const double x = column_x(element);
    const auto writer = writer_.find({a, element});
    const bool inside = element >= 0 && static_cast<std::uint64_t>(element) < held(array.tensor);
    if (!inside) {
      const bool touched =
          std::ranges::any_of(accesses_.wires, [&](const AccessesExhibit::Wire& wire) {
            return wire.array == a && wire.element == element;
          });
      if (!touched) return {};
      return cell(x, y, "wb-cell wb-outside") +
             svg_text("wb-figure wb-bad", x + kHtmlWiresCell / 2, y + 20, "✗");
    }
    const auto index = static_cast<std::uint64_t>(element);
    const bool unwritten = array.written && !accesses_.cut && writer == writer_.end();
    std::string css_class = "wb-cell ";
    css_class += is_wrong(array.tensor, index) ? "wb-wrong"
                 : unwritten                   ? "wb-unwritten"
                 : writer != writer_.end()     ? category(writer->second)
                                               : "wb-plain";
    return cell(x, y, css_class) +
           svg_text(unwritten ? "wb-figure wb-quiet" : "wb-figure", x + kHtmlWiresCell / 2, y + 20,
                    typeset(clipped_value(element_text(array.tensor, index))));
  }

  /// What fits into a cell; the tensor's own exhibit has all digits.
  static std::string clipped_value(const std::string& value) {
    return value.size() <= 5 ? value : value.substr(0, 4) + "…";
  }

  /// What joins a thread and an element, however often.
  struct Joined {
    bool store = false, stray = false;
    std::string name;
  };

  const AccessesExhibit& accesses_;
  const Strings& strings_;
  std::uint64_t threads_ = 0, threads_a_block_ = 1;
  std::map<std::int64_t, std::size_t> columns_;  ///< element -> its place from the left
  std::map<std::pair<std::uint64_t, std::int64_t>, Joined> joined_;  ///< by thread and element
  std::set<std::uint64_t> busy_;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint64_t>
      writer_;  ///< array and element -> last thread
  double left_ = 0, columns_left_ = 0, threads_left_ = 0, width_ = 0, height_ = 0;
};

}  // namespace

std::string svg_wires(const AccessesExhibit& accesses, const Strings& strings,
                      const std::string& caption) {
  WirePicture picture(accesses, strings);
  return picture.fits() ? picture.draw(caption) : std::string();
}

}  // namespace warpbook::lab
