// The memory spaces as boxes in their places, from the registers down to device memory, and pipes between them as wide as
// the bytes that flowed; below, a line a space: whose it is and for how long. Or one value's way over them, step by step.
#include <algorithm>
#include <string>

#include "gui/controls/widgets.hpp"
#include "gui/exhibits/panels.hpp"
#include "gui/exhibits/spaces/journey.hpp"
#include "lab/exhibits/spaces/spaces_picture.hpp"
#include "lab/exhibits/spaces/spaces_summary.hpp"

namespace warpbook::gui {
namespace {

using lab::SpacesPicture;

constexpr float kSpacesHeight = static_cast<float>(SpacesPicture::kHeight), kBelow = 14,
                kSpacesName = 140;

class Spaces {
 public:
  Spaces(const Frame& frame, const lab::SpacesExhibit& spaces)
      : frame_(frame), ui_(frame.ui), ink_(frame.ui.ink()), spaces_(spaces) {}

  [[nodiscard]] float draw() const {
    if (frame_.draw) draw_picture();
    const float top = frame_.corner.y + kSpacesHeight + kBelow;
    const float below =
        spaces_.journey ? journey_steps({ui_, {frame_.corner.x, top}, frame_.width, frame_.draw},
                                        *spaces_.journey)
                        : draw_rows(top);
    return kSpacesHeight + kBelow + below;
  }

 private:
  [[nodiscard]] ImVec2 at(double x, double y) const {
    return {frame_.corner.x + static_cast<float>(x), frame_.corner.y + static_cast<float>(y)};
  }
  [[nodiscard]] std::string word(std::string_view family, std::string_view name) const {
    return ui_.tr("spaces." + std::string(family) + "." + std::string(name));
  }

  /// The largest size at which it fits, down to a small one; below that it is cut.
  [[nodiscard]] Type sized(Type type, const std::string& text, float room) const {
    constexpr float kLeastSize = 10;
    while (type.size > kLeastSize && ink_.width(type, text) > room) type.size -= 0.5f;
    return type;
  }
  void write(ImVec2 place, Type type, const std::string& text, double room,
             Align align = Align::left) const {
    const auto wide = static_cast<float>(room);
    const Type fits = sized(type, text, wide);
    ink_.text_middle(place.x, place.y, fits, ink_.fitted(fits, text, wide), align);
  }

  void draw_picture() const {
    const SpacesPicture picture =
        lab::picture_of(spaces_, frame_.width, beside_as<lab::SpacesExhibit>(frame_));
    draw_area(picture.multiprocessor, ui_.tr("spaces.multiprocessor"), picture.caption,
              picture.caption_room);
    const lab::SpacesExhibit::Row* device = lab::row_of(spaces_, lab::SpacesExhibit::Space::dram);
    const bool clocks = picture.latencies.empty();  // they have no place of their own
    draw_area(picture.device,
              ui_.tr("spaces.device",
                     {{"size", device && device->bytes != 0 ? lab::byte_count(device->bytes)
                                                            : ui_.tr("spaces.no-size")}}) +
                  (clocks && device ? clocks_after(*device) : ""),
              picture.device.right() - 10, picture.device.width - 20);
    for (const SpacesPicture::Box& box : picture.boxes) draw_box(box, clocks);
    for (const SpacesPicture::Name& name : picture.names) {
      write(at(name.at.x, name.at.y), ui_.note(), word("way", lab::name_of(name.space)), name.room);
    }
    for (const SpacesPicture::Pipe& pipe : picture.pipes) draw_pipe(pipe);
    draw_latencies(picture);
    draw_model(picture.below);
    if (spaces_.journey) draw_way(frame_, *spaces_.journey, picture);
  }

  /// `right`: where its words end, which have `room`.
  void draw_area(const SpacesPicture::Area& area, const std::string& says, double right,
                 double room) const {
    ink_.fill(at(area.x, area.y), at(area.right(), area.bottom()), ui_.theme.s1,
              measure::kPanelRadius);
    write(at(right, area.bottom() - 11), ui_.note(), says, room, Align::right);
  }

  [[nodiscard]] std::string clocks_after(const lab::SpacesExhibit::Row& row) const {
    const std::string clocks = lab::latency_text(row, ui_.book.strings());
    return clocks.empty() ? clocks : " · " + clocks;
  }
  /// The space whose latency is that of a cache; null for other boxes.
  [[nodiscard]] const lab::SpacesExhibit::Row* cache_row(lab::SpacesExhibit::Box box) const {
    using enum lab::SpacesExhibit::Space;
    if (box == lab::SpacesExhibit::Box::l1) return lab::row_of(spaces_, l1);
    return box == lab::SpacesExhibit::Box::l2 ? lab::row_of(spaces_, l2) : nullptr;
  }

  void draw_box(const SpacesPicture::Box& box, bool clocks) const {
    const ImVec2 min = at(box.at.x, box.at.y), max = at(box.at.right(), box.at.bottom());
    const float fade_to = box.used ? 1.0f : 0.4f;
    ink_.fill(min, max, mix(ui_.theme.s1, ui_.theme.s3, box.used ? 1.0f : 0.6f),
              measure::kCellRadius);
    if (const auto category = lab::category_of(box.box)) {
      ink_.fill(min, {min.x + measure::kAccentBar, max.y},
                mix(ui_.theme.s3, ui_.theme.category[*category], fade_to), 1);
    }
    const std::string name = word("box", lab::name_of(box.box));
    std::string note = lab::note_of(spaces_, box.box, ui_.book.strings());
    if (const auto* row = cache_row(box.box); row && clocks) note += clocks_after(*row);
    Type bold = ui_.label_bold(), quiet = ui_.note();
    if (!box.used) bold.colour = quiet.colour = ui_.theme.t4;
    // The wide ones have all on one line.
    const bool registers = box.box == lab::SpacesExhibit::Box::registers,
               wide = registers || box.box == lab::SpacesExhibit::Box::l2;
    const ImVec2 first{min.x + static_cast<float>(box.text),
                       wide && !registers ? (min.y + max.y) / 2 : min.y + 17};
    write(first, bold, name, box.room);
    if (wide) {
      const float taken = ink_.width(bold, name) + 12;
      write({first.x + taken, first.y}, quiet, note, box.room - taken);
    } else {
      write({first.x, first.y + 19}, quiet, note, box.room);
    }
  }

  /// A bar with a head at each end that something flows to; hatched where a model tells how much.
  void draw_pipe(const SpacesPicture::Pipe& pipe) const {
    constexpr float kHead = 8;
    const float half = static_cast<float>(pipe.width) / 2;
    const ImVec2 top = at(pipe.x, pipe.top), bottom = at(pipe.x, pipe.bottom);
    const ImVec2 min{top.x - half, top.y + (pipe.up ? kHead : 0)},
        max{top.x + half, bottom.y - (pipe.down ? kHead : 0)};
    const Colour full = ui_.theme.category[lab::category_of(pipe.space)];
    const Colour colour = mix(ui_.theme.s2, full, pipe.estimated ? 0.4f : 0.85f);
    ink_.fill(min, max, colour);
    if (pipe.estimated) ink_.hatch(min, max, full, 5);
    const float wide = half + 3;
    const Colour head = mix(ui_.theme.s2, full, 0.85f);
    if (pipe.up)
      ink_.list()->AddTriangleFilled(top, {top.x + wide, min.y}, {top.x - wide, min.y}, head);
    if (pipe.down) {
      ink_.list()->AddTriangleFilled(bottom, {bottom.x - wide, max.y}, {bottom.x + wide, max.y},
                                     head);
    }
    draw_amount(pipe);
  }

  /// A figure that does not fit has its unit below it: cut, it would be another figure.
  void draw_amount(const SpacesPicture::Pipe& pipe) const {
    const std::string amount = lab::label_of(spaces_, pipe, ui_.book.strings());
    const ImVec2 place = at(pipe.label.x, pipe.label.y);
    const Align align = pipe.leftwards ? Align::right : Align::left;
    const auto room = static_cast<float>(pipe.room);
    const Type figures{Face::mono, 13, ui_.theme.t1};
    const std::size_t space = amount.rfind(' ');
    if (space == std::string::npos || ink_.width(sized(figures, amount, room), amount) <= room) {
      write(place, figures, amount, room, align);
      return;
    }
    write({place.x, place.y - 7}, figures, amount.substr(0, space), room, align);
    write({place.x, place.y + 7}, {Face::mono, 11, ui_.theme.t3}, amount.substr(space + 1), room,
          align);
  }

  void draw_latencies(const SpacesPicture& picture) const {
    if (picture.latencies.empty()) return;
    const double room = picture.latencies.front().width;
    write(at(picture.column, 18), ui_.note(), ui_.tr("spaces.column"), room);
    draw_published(at(picture.column, 40));
    for (const SpacesPicture::Latency& latency : picture.latencies) {
      const ImVec2 place = at(latency.at.x, latency.at.y);
      const lab::SpacesExhibit::Row& row = *lab::row_of(spaces_, latency.space);
      const std::string clocks = lab::number(row.latency, 4);
      const Type figures{Face::mono, 14, ui_.theme.t1};
      ink_.text_middle(place.x, place.y, figures, clocks);
      const float taken = ink_.width(figures, clocks) + 6;
      write({place.x + taken, place.y}, ui_.note(), word("wait", lab::name_of(latency.space)),
            room - taken);
      const auto wide = static_cast<float>(latency.width);
      const ImVec2 bar{place.x, place.y + 10};
      ink_.fill(bar, {bar.x + wide, bar.y + 4}, ui_.theme.s4, 2);
      ink_.fill(bar, {bar.x + wide * static_cast<float>(latency.share), bar.y + 4}, ui_.theme.t2,
                2);
    }
  }

  /// What passes from here down is estimated, where it is known at all.
  void draw_model(const SpacesPicture::Area& area) const {
    const lab::SpacesExhibit::Row* row = lab::row_of(spaces_, lab::SpacesExhibit::Space::l2);
    if (!row || lab::flow_of(*row) == 0 || !row->estimated) return;
    const ImVec2 end = at(area.right(), area.y + area.height / 2);
    badge(ui_, end.x, end.y,
          {device::EvidenceKind::estimated, lab::Message::plain(spaces_.gpu), {}});
  }

  /// Where the clocks are from.
  void draw_published(ImVec2 place) const {
    const device::Evidence by_others{
        device::EvidenceKind::published, {"spaces.others", {}, {}}, {}};
    badge(ui_, place.x + badge_width(ui_, by_others), place.y, by_others);
  }

  [[nodiscard]] float draw_rows(float top) const {
    float y = top;
    for (const lab::SpacesExhibit::Row& row : spaces_.rows) {
      const std::string_view space = lab::name_of(row.space);
      std::string says = word("scope", space) + " · " + lab::size_text(row, ui_.book.strings());
      const std::string traffic = lab::traffic_text(row, ui_.book.strings());
      if (!traffic.empty()) says += " · " + traffic;
      if (frame_.draw) {
        ink_.text_middle(frame_.corner.x, y + 10, ui_.label(),
                         ink_.fitted(ui_.label(), word("name", space), kSpacesName - 8));
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
};
}  // namespace

float figure_of(const Frame& frame, const lab::SpacesExhibit& spaces, const std::string& /*id*/) {
  if (spaces.rows.empty()) return 0;
  return Spaces(frame, spaces).draw();
}

}  // namespace warpbook::gui
