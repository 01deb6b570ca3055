// A page of text for a terminal: columns, wrapping, alignment, and colour where it is wanted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpbook::lab {

enum class Ink { plain, strong, quiet, good, bad, warn, accent };

/// `text` in at most `columns` columns; what is cut off becomes "…".
std::string clipped(std::string_view text, int columns);
/// Filled up with spaces to `columns`; longer text stays as it is.
std::string padded(std::string text, int columns);
std::string padded_left(std::string text, int columns);
/// Lines of at most `columns` columns, broken at spaces and between Chinese characters, never before closing punctuation.
std::vector<std::string> wrapped(std::string_view text, int columns);
/// A bar of `fraction` of `columns` columns, in eighths; a fraction above 0 always shows.
std::string bar(double fraction, int columns);

/// Collects lines. Everything put in is made printable first.
class Page {
 public:
  Page(int width, bool colour) : width_(width < 24 ? 24 : width), colour_(colour) {}
  [[nodiscard]] int width() const { return width_; }
  /// `text` in that ink, escape codes included where colour is on.
  [[nodiscard]] std::string ink(Ink ink, std::string_view text) const;
  void line(std::string_view text = {});
  /// Wrapped to the width less the indent, each line indented, in one ink.
  void paragraph(std::string_view text, int indent = 0, Ink in = Ink::plain);
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  int width_;
  bool colour_;
  std::string text_;
};

}  // namespace warpbook::lab
