// The book's glossary, which takes the lab's place: all terms in order, filtered as the reader types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/controls/search_box.hpp"
#include "gui/document/flow.hpp"
#include "lab/document/glossary.hpp"

namespace warpbook::gui {

class GlossaryView {
 public:
  /// Opens it with the keyboard in its box, which holds `typed`; or at the term `id`.
  void open(std::string typed = {});
  void open_at(std::string id);
  void close();
  [[nodiscard]] bool is_open() const { return open_; }
  /// Draws in the current child window, which it fills.
  void draw(const Ui& ui);

  /// The chapter that the reader wants to open to read about a term: its slug, and the term's id. Empty: none.
  [[nodiscard]] std::pair<std::string, std::string> take_followed() {
    return std::exchange(followed_, {});
  }
  [[nodiscard]] const std::string& typed() const { return box_.text; }
  /// Ids of the terms that are shown, in order.
  [[nodiscard]] std::vector<std::string> shown() const;
  /// How often the entries were laid out: once for each search, width and state of the book.
  [[nodiscard]] std::uint64_t layouts() const { return layouts_; }
  /// The paragraphs drawn in the last frame, with their places on the screen.
  [[nodiscard]] const std::vector<SetParagraph>& paragraphs() const { return shared_.set; }
  /// A scroll is still to be carried out.
  [[nodiscard]] bool settling() const { return open_ && !wanted_.empty(); }
  /// Closed, and no item has the keyboard, since none had it before; said once.
  bool take_none_focused() { return before_.take_none_had_it(); }

 private:
  /// An entry's place in the list. The entry lives until the book reads its chapters again.
  struct Row {
    const lab::GlossaryEntry* entry = nullptr;
    float top = 0, height = 0;
  };
  struct LaidOut {
    std::string typed;
    float width = 0;
    std::uint64_t news = 0;
    friend bool operator==(const LaidOut&, const LaidOut&) = default;
  };

  void lay_out(const Ui& ui, float width);
  void draw_entries(const Ui& ui, float width);
  void set_entry(Flow& flow, const lab::GlossaryEntry& entry) const;
  void take_links();

  bool open_ = false;
  SearchBox box_;
  FocusBefore before_;
  std::string wanted_, chosen_;  ///< ids of the term to scroll to, and of the marked one
  bool to_top_ = false;
  std::pair<std::string, std::string> followed_;
  std::vector<Row> rows_;
  std::optional<LaidOut> laid_out_;
  std::uint64_t layouts_ = 0;
  FlowShared shared_;
};

}  // namespace warpbook::gui
