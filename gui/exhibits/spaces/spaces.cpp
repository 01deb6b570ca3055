// The picture of the memory spaces; below it, a line a space: whose it is and for how long. Or one value's way over them under
// mouse and keyboard, step by step.
#include <algorithm>
#include <string>

#include "gui/controls/widgets.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "gui/exhibits/spaces/journey.hpp"
#include "lab/exhibits/spaces/spaces_picture.hpp"
#include "lab/exhibits/spaces/spaces_summary.hpp"

namespace warpbook::gui {
namespace {

using lab::SpacesPicture;

constexpr float kSpacesHeight = static_cast<float>(SpacesPicture::kHeight), kBelow = 14,
                kName = 140;

class Spaces {
 public:
  Spaces(const FigureArea& area, const lab::SpacesExhibit& spaces)
      : area_(area), ui_(area.ui), ink_(area.ui.ink()), spaces_(spaces) {}

  [[nodiscard]] float draw() const {
    if (area_.draw) draw_picture();
    const float top = area_.corner.y + kSpacesHeight + kBelow;
    const float below =
        spaces_.journey
            ? journey_steps({ui_, {area_.corner.x, top}, area_.width, area_.draw}, *spaces_.journey)
            : draw_rows(top);
    return kSpacesHeight + kBelow + below;
  }

 private:
  [[nodiscard]] std::string word(std::string_view family, std::string_view name) const {
    return ui_.tr("spaces." + std::string(family) + "." + std::string(name));
  }

  void draw_picture() const {
    const auto& picture = kept_layout<SpacesPicture>(area_, &spaces_, [&] {
      return lab::picture_of(spaces_, static_cast<double>(area_.width),
                             beside_as<lab::SpacesExhibit>(area_));
    });
    lab::SpacesJourneyState state;
    if (spaces_.journey) state = point_at_stops(area_, *spaces_.journey, picture);
    const FigureInputs inputs(state.station, state.hovered, static_cast<float>(state.come));
    const lab::Drawing& drawing = draw_kept(area_, &spaces_, inputs, [&] {
      return drawing_of(spaces_, picture, state, canvas_for(area_));
    });
    if (const lab::DrawnItem* place = item_of(drawing, {"estimated"})) {
      const ImVec2 at = corner_of(*place);
      badge(ui_, at.x, at.y,
            {device::EvidenceKind::estimated, lab::Message::plain(spaces_.gpu), {}});
    }
    if (const lab::DrawnItem* place = item_of(drawing, {"published"})) {
      const device::Evidence by_others{
          device::EvidenceKind::published, {"spaces.others", {}, {}}, {}};
      const ImVec2 at = corner_of(*place);
      badge(ui_, at.x + badge_width(ui_, by_others), at.y, by_others);
    }
  }
  [[nodiscard]] ImVec2 corner_of(const lab::DrawnItem& item) const {
    const lab::Area at = lab::bounds_of(item);
    return {area_.corner.x + static_cast<float>(at.x), area_.corner.y + static_cast<float>(at.y)};
  }

  [[nodiscard]] float draw_rows(float top) const {
    float y = top;
    for (const lab::SpacesExhibit::Row& row : spaces_.rows) {
      const std::string_view space = lab::name_of(row.space);
      std::string says = word("scope", space) + " · " + lab::size_text(row, ui_.book.strings());
      const std::string traffic = lab::traffic_text(row, ui_.book.strings());
      if (!traffic.empty()) says += " · " + traffic;
      if (area_.draw) {
        ink_.label(area_.corner.x, y + 10, ui_.label(), word("name", space), kName - 8);
      }
      const float height =
          words({ui_, {area_.corner.x + kName, y}, area_.width - kName, area_.draw}, says,
                ui_.caption_style());
      y += std::max(22.0f, height + 4);
    }
    y += words({ui_, {area_.corner.x, y + 4}, area_.width, area_.draw}, ui_.tr("spaces.sources"),
               ui_.caption_style()) +
         4;
    return y - top;
  }

  const FigureArea& area_;
  const Ui& ui_;
  Ink ink_;
  const lab::SpacesExhibit& spaces_;
};
}  // namespace

float figure_of(const FigureArea& area, const lab::SpacesExhibit& spaces,
                const std::string& /*id*/) {
  if (spaces.rows.empty()) return 0;
  return Spaces(area, spaces).draw();
}

}  // namespace warpbook::gui
