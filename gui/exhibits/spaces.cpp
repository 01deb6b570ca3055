// The memory spaces as boxes, from the registers down to DRAM, and pipes between them as wide as the bytes that flowed;
// below, a line a space: whose it is and for how long.
#include <algorithm>
#include <cmath>
#include <string>

#include "gui/exhibits/exhibit.hpp"
#include "gui/shell/widgets.hpp"
#include "lab/spaces_summary.hpp"

namespace warpbook::gui {
namespace {

using SpacesPicture = lab::SpacesPicture;

constexpr float kSpacesHeight = static_cast<float>(SpacesPicture::kHeight), kBelow = 14,
                kSpacesName = 140;

class Spaces {
 public:
  Spaces(const Frame& frame, const lab::SpacesExhibit& spaces)
      : frame_(frame),
        ui_(frame.ui),
        ink_(frame.ui.ink()),
        spaces_(spaces),
        scale_(frame.width / static_cast<float>(SpacesPicture::kWidth)) {}

  [[nodiscard]] float draw() const {
    if (frame_.draw) {
      const SpacesPicture picture = lab::picture_of(spaces_);
      for (const SpacesPicture::Pipe& pipe : picture.pipes) draw_pipe(pipe);
      for (const SpacesPicture::Box& box : picture.boxes) draw_box(box);
    }
    return kSpacesHeight + kBelow + draw_rows(frame_.corner.y + kSpacesHeight + kBelow);
  }

 private:
  // Only widths follow the panel: words need their height.
  [[nodiscard]] ImVec2 at(double x, double y) const {
    return {frame_.corner.x + static_cast<float>(x) * scale_,
            frame_.corner.y + static_cast<float>(y)};
  }
  [[nodiscard]] std::string word(std::string_view family, lab::SpacesExhibit::Space space) const {
    return ui_.tr("spaces." + std::string(family) + "." + std::string(lab::name_of(space)));
  }

  /// The largest size at which it fits, down to a small one; below that it is cut.
  [[nodiscard]] Type sized(Type type, const std::string& text, float room) const {
    constexpr float kLeastSize = 10.5f;
    while (type.size > kLeastSize && ink_.width(type, text) > room) type.size -= 0.5f;
    return type;
  }

  void draw_box(const SpacesPicture::Box& box) const {
    const ImVec2 min = at(box.x, box.y),
                 max = at(box.x + box.width, box.y + SpacesPicture::kBoxHeight);
    ink_.fill(min, max, ui_.theme.s3, measure::kCellRadius);
    const float room = max.x - min.x - 16;
    std::string name = word("name", box.space);
    if (ink_.width(ui_.label_bold(), name) > room) name = word("way", box.space);  // shorter
    const Type bold = sized(ui_.label_bold(), name, room);
    ink_.text_middle(min.x + 8, min.y + 14, bold, ink_.fitted(bold, name, room));
    const lab::SpacesExhibit::Row* row = lab::row_of(spaces_, box.space);
    if (!row) return;
    std::string says = row->bytes != 0 ? lab::byte_count(row->bytes) : std::string();
    if (const std::string clocks = lab::latency_text(*row, ui_.book.strings()); !clocks.empty())
      says += (says.empty() ? "" : " · ") + clocks;
    if (box.space == lab::SpacesExhibit::Space::registers)
      says += " · " + lab::thread_text(spaces_, ui_.book.strings());
    if (row->bytes != 0 && ink_.width(ui_.note(), says) > room) says = lab::byte_count(row->bytes);
    ink_.text_middle(min.x + 8, min.y + 32, ui_.note(), ink_.fitted(ui_.note(), says, room));
  }

  void draw_pipe(const SpacesPicture::Pipe& pipe) const {
    const ImVec2 top = at(pipe.x, pipe.top), bottom = at(pipe.x, pipe.bottom);
    const float half = static_cast<float>(pipe.width) * scale_ / 2;
    if (pipe.width == 0) {
      const int dashes = static_cast<int>(std::ceil((bottom.y - top.y) / 6));
      for (int k = 0; k < dashes; ++k) {
        const float y = top.y + 6 * static_cast<float>(k);
        ink_.list()->AddLine({top.x, y}, {top.x, std::min(y + 3, bottom.y)}, ui_.theme.t4, 1);
      }
    } else {
      const Colour colour = mix(ui_.theme.s2, ui_.theme.category[0], pipe.estimated ? 0.35f : 0.7f);
      ink_.fill({top.x - half, top.y}, {top.x + half, bottom.y}, colour);
      if (pipe.estimated) {
        ink_.hatch({top.x - half, top.y}, {top.x + half, bottom.y},
                   mix(ui_.theme.s2, ui_.theme.category[0], 0.7f), 6);
      }
    }
    // The picture leaves 6 of its units beside a pipe, however wide it is drawn; 4 points are enough.
    const float gap = 6 * scale_ - 4, x = at(pipe.x + SpacesPicture::kMostPipe / 2 + 6, 0).x - gap,
                middle = (top.y + bottom.y) / 2,
                room = static_cast<float>(pipe.room) * scale_ + gap;
    std::string name = word("way", pipe.space);
    if (ink_.width(ui_.note(), name) > room) name = word("way-short", pipe.space);
    const Type note = sized(ui_.note(), name, room);
    const lab::SpacesExhibit::Row* row = lab::row_of(spaces_, pipe.space);
    const std::string amount = row ? lab::amount_text(*row, ui_.book.strings()) : std::string();
    const Type figures = sized(ui_.figures(ui_.theme.t1), amount, room);
    // A figure that does not fit has its unit below it: cut, it would be another figure.
    const std::size_t space = amount.find(' ');
    const bool parted = space != std::string::npos && ink_.width(figures, amount) > room;
    const float line = parted ? 15 : 18, first = middle - (parted ? line : line / 2);
    ink_.text_middle(x, first, note, ink_.fitted(note, name, room));
    ink_.text_middle(x, first + line, figures,
                     parted ? amount.substr(0, space) : ink_.fitted(figures, amount, room));
    if (parted) {
      ink_.text_middle(x, first + 2 * line, note,
                       ink_.fitted(note, amount.substr(space + 1), room));
    }
  }

  [[nodiscard]] float draw_rows(float top) const {
    float y = top;
    for (const lab::SpacesExhibit::Row& row : spaces_.rows) {
      std::string says = word("scope", row.space) + " · " + lab::size_text(row, ui_.book.strings());
      const std::string traffic = lab::traffic_text(row, ui_.book.strings());
      if (!traffic.empty()) says += " · " + traffic;
      if (frame_.draw) {
        ink_.text_middle(frame_.corner.x, y + 10, ui_.label(),
                         ink_.fitted(ui_.label(), word("name", row.space), kSpacesName - 8));
      }
      const float height =
          words({ui_, {frame_.corner.x + kSpacesName, y}, frame_.width - kSpacesName, frame_.draw},
                says, ui_.caption_style());
      y += std::max(22.0f, height + 4);
    }
    y += words({ui_, {frame_.corner.x, y + 4}, frame_.width, frame_.draw}, ui_.tr("spaces.sources"),
               ui_.caption_style()) +
         4;
    return y - top;
  }

  const Frame& frame_;
  const Ui& ui_;
  Ink ink_;
  const lab::SpacesExhibit& spaces_;
  float scale_;
};
}  // namespace

float spaces_figure(const Frame& frame, const lab::SpacesExhibit& spaces) {
  if (spaces.rows.empty()) return 0;
  return Spaces(frame, spaces).draw();
}

}  // namespace warpbook::gui
