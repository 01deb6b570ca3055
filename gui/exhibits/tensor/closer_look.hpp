// A reader's closer look at a tensor or an image: the wheel with Ctrl, + and − go closer and farther, dragging moves along, 0 shows all,
// Page Up and Page Down go from plane to plane. The book keeps where it is.
#pragma once

#include <optional>
#include <string>

#include "gui/exhibits/exhibit.hpp"
#include "lab/exhibits/tensor/tensor_region.hpp"

namespace warpbook::gui {

class CloserLook {
 public:
  /// `id`: the exhibit's.
  CloserLook(const Ui& ui, const std::string& id, const lab::TensorPlanes& planes);

  [[nodiscard]] const lab::TensorRegion& region() const { return region_; }
  [[nodiscard]] bool is_whole() const { return lab::is_whole(region_, planes_); }
  /// Some rows and columns are out of sight.
  [[nodiscard]] bool is_close() const {
    return region_.rows < planes_.rows || region_.columns < planes_.columns;
  }
  /// Whether there is anything to go closer to, or planes to choose from.
  [[nodiscard]] bool is_offered() const { return most_ > 0 || planes_.planes > 1; }
  /// What tells its pictures from those of other looks.
  [[nodiscard]] FigureInputs inputs() const;

  /// On the picture's item that was just made. `about`: where the mouse is in a plane, as shares of it; none where it is in none.
  /// `each`: how many points an element takes. True where a press was a click and no drag.
  [[nodiscard]] bool take_input(bool pressed, const std::optional<lab::Point>& about,
                                const lab::Point& each) const;
  /// Brings an element into sight.
  void show(std::uint64_t element) const;
  /// Buttons in a row of measure::kCardButton, with their right end at `right`; gives back where they begin. `plane`: the name of the
  /// chosen one.
  float draw_controls(float right, float top, const std::string& plane) const;

 private:
  void keep_look(const lab::TensorLook& look) const;
  void take_keys() const;
  void drag(const lab::Point& each) const;

  const Ui& ui_;
  const std::string& id_;
  lab::TensorPlanes planes_;
  lab::TensorLook look_;
  lab::TensorRegion region_;
  std::uint64_t most_;
};

}  // namespace warpbook::gui
