// What a view is given for one frame: the book to read, the means to draw, and a place to post the changes that the
// reader asks for.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gui/book/book.hpp"
#include "gui/draw/boxes.hpp"
#include "gui/draw/figure_cache.hpp"
#include "gui/draw/ink.hpp"
#include "gui/draw/motion.hpp"
#include "gui/draw/paragraph.hpp"
#include "gui/draw/pictures.hpp"

namespace warpbook::gui {

/// Changes that were asked for while drawing. They are made between frames, so that a frame shows one state of the book.
class Posts {
 public:
  void operator()(std::function<void(Book&)> change) { changes_.push_back(std::move(change)); }
  void apply(Book& book) {
    for (const auto& change : std::exchange(changes_, {})) change(book);
  }
  [[nodiscard]] bool empty() const { return changes_.empty(); }

 private:
  std::vector<std::function<void(Book&)>> changes_;
};

struct Ui {
  const Book& book;
  const Theme& theme;
  const Fonts& fonts;
  ParagraphCache& paragraphs;
  Posts& post;
  Motion& motion;
  FigureCache& cache;
  BoxPainter& boxes;
  Pictures& pictures;
  /// The shortcut of an action by its id ("keep-run"), as the reader sees it: "Ctrl+K". No text names a key itself.
  std::string_view (*keys_of)(std::string_view action);
  double time = 0;        ///< of this frame, in seconds
  bool typing = false;    ///< keys are text for an editor or a box, not commands
  bool in_words = false;  ///< exhibits say what they show instead of drawing it

  [[nodiscard]] Ink ink() const { return {fonts, ImGui::GetWindowDrawList()}; }
  [[nodiscard]] std::string tr(std::string_view key,
                               const lab::MessageArguments& arguments = {}) const {
    return book.strings()(key, arguments);
  }
  [[nodiscard]] std::string tr(const lab::Message& message) const {
    return book.strings()(message);
  }
  [[nodiscard]] std::string tr(const device::Error& error) const { return book.strings()(error); }
  /// The height of a line that is `latin` points high in a Latin script.
  [[nodiscard]] float leading(float latin) const {
    return latin + book.strings().language().extra_leading;
  }
  /// "Keep this run (Ctrl+K)".
  [[nodiscard]] std::string with_keys(std::string says, std::string_view action) const {
    return std::move(says) + " (" + std::string(keys_of(action)) + ")";
  }

  // The roles of type: the role of a text decides its face, size and colour.
  [[nodiscard]] Type section() const { return {Face::bold, 21, theme.t1}; }
  [[nodiscard]] Type label() const { return {Face::sans, 15, theme.t1}; }
  [[nodiscard]] Type label_bold() const { return {Face::bold, 15, theme.t1}; }
  [[nodiscard]] Type caption() const { return {Face::sans, 14, theme.t3}; }
  [[nodiscard]] Type note() const { return {Face::sans, 13, theme.t3}; }
  [[nodiscard]] Type badge() const { return {Face::sans, 12, theme.t1}; }
  [[nodiscard]] Type code(Colour colour) const { return {Face::mono, 15, colour}; }
  [[nodiscard]] Type figures(Colour colour) const { return {Face::mono, 14, colour}; }
  [[nodiscard]] ParagraphStyle prose() const {
    return {17, leading(26), Face::sans, Face::bold, theme.t1, 0};
  }
  [[nodiscard]] ParagraphStyle caption_style() const {
    return {14, 20, Face::sans, Face::bold, theme.t3, theme.t2};
  }
  [[nodiscard]] ParagraphColours paragraph_colours() const {
    return {theme.s3,          theme.t1,     theme.t1, theme.accent_text,
            theme.accent_tint, theme.accent, theme.s3};
  }
};

}  // namespace warpbook::gui
