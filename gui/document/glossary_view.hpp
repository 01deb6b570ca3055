// The book's glossary in the lab's place: its terms in order, found as one types.
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
  /// Opens it with its box ready to type into, `typed` in it; or, with `id`, at that term.
  void open(std::string typed = {});
  void open_at(std::string id);
  void close();
  [[nodiscard]] bool is_open() const { return open_; }
  /// Draws in the current child window, which it fills.
  void draw(const Ui& ui);

  /// Where the reader wants to read of a term: a chapter's slug and the term's id; empty else.
  [[nodiscard]] std::pair<std::string, std::string> take_followed() {
    return std::exchange(followed_, {});
  }
  [[nodiscard]] const std::string& typed() const { return box_.text; }
  /// Ids of the terms that are shown, in order.
  [[nodiscard]] std::vector<std::string> shown() const;
  /// How often the entries were laid out: once for what was typed, a width and what the book holds.
  [[nodiscard]] std::uint64_t layouts() const { return layouts_; }
  /// The paragraphs drawn in the last frame, where they lie on the screen.
  [[nodiscard]] const std::vector<SetParagraph>& paragraphs() const { return shared_.set; }
  /// A scroll is still to be carried out.
  [[nodiscard]] bool settling() const { return open_ && !wanted_.empty(); }

 private:
  /// What an entry takes in the list; the entry lives until the book's news.
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
  std::string wanted_, chosen_;  ///< ids: to be scrolled to; marked
  bool to_top_ = false;
  std::pair<std::string, std::string> followed_;
  std::vector<Row> rows_;
  std::optional<LaidOut> laid_out_;
  std::uint64_t layouts_ = 0;
  FlowShared shared_;
};

}  // namespace warpbook::gui
