// The overlay in which the reader finds a place of the book, or something to do, by a few letters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gui/controls/search_box.hpp"
#include "gui/controls/ui.hpp"

namespace warpbook::gui {

struct Action;
class Presentation;

/// The bytes [first, first + second) of a row that are what was typed, whatever their capitals; second is 0 where it is found by
/// other words.
std::pair<std::size_t, std::size_t> hit_in(std::string_view label, std::string_view typed);

class Finder {
 public:
  enum class What : std::uint8_t { places, actions };
  /// Opens it with the keyboard in its box.
  void open(What what);
  void close();
  [[nodiscard]] bool is_open() const { return open_; }
  [[nodiscard]] What what() const { return what_; }
  /// Draws it at the upper edge of the window, over everything else. Lists the actions that are there in such a lecture.
  void draw(const Ui& ui, const Presentation& lecture);
  /// What was chosen in this frame; it closes then.
  std::optional<BookPlace> take_place() { return std::exchange(place_, {}); }
  const Action* take_action() { return std::exchange(action_, nullptr); }
  /// Closed, and no item has the keyboard, since none had it before; said once.
  bool take_none_focused() { return before_.take_none_had_it(); }
  /// How many rows fit what was typed.
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }

 private:
  /// A line of the list.
  struct Row {
    std::string label, note;
    std::optional<BookPlace> place;
    const Action* action = nullptr;
  };
  void find(const Ui& ui, const Presentation& lecture);
  void find_places(const Ui& ui, std::size_t most);
  void find_actions(const Ui& ui, const Presentation& lecture);
  /// Takes the keys that go through the list.
  void handle_keys();
  void draw_rows(const Ui& ui, float width);
  void choose(const Row& row);

  bool open_ = false;
  What what_ = What::places;
  SearchBox box_;
  FocusBefore before_;
  std::vector<Row> rows_;
  std::string found_for_;  ///< what rows_ was found for
  std::size_t at_ = 0;     ///< the row that Enter chooses
  bool moved_ = false;     ///< by keys, in this frame: it is to be in view
  std::optional<BookPlace> place_;
  const Action* action_ = nullptr;
};

}  // namespace warpbook::gui
