#include "gui/lab/drawing_pad.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/exhibit.hpp"
#include "gui/lab/drawings.hpp"

namespace warpbook::gui {
namespace {
using lab::Sketch;

constexpr float kPoint = 11, kPaper = kPoint * static_cast<float>(Sketch::kSide), kPadHead = 44,
                kPadFoot = 34, kAnswer = 460, kToolGap = 4, kToolRow = measure::kButton;
constexpr ImGuiKeyChord kUndo = ImGuiMod_Ctrl | ImGuiKey_Z;
constexpr const char* kUndoKeys = "Ctrl+Z";
constexpr const char* kToolNames[] = {"thin", "medium", "thick", "eraser"};
/// In points of the pad. The shapes that a network learned are drawn with bars of three to six points.
constexpr double kWidths[] = {2, 3.5, 6, 5};

ImVec2 pad_size() {
  const ImVec2 window = ImGui::GetMainViewport()->Size;
  const ImVec2 wanted{kPaper + kAnswer + 3 * measure::kPadding,
                      kPadHead + kPaper + 2 * (kToolRow + kToolGap) + kPadFoot};
  return {std::min(wanted.x, window.x - 16), std::min(wanted.y, window.y - 16)};
}
}  // namespace

void DrawingPad::open(const std::string& file) {
  remove_passing(file);
  forget_old_drawings(drawings_folder());
  before_.clear();
  last_.reset();
  constexpr double kMiddle = static_cast<double>(Sketch::kSide) / 2;
  pen_ = {kMiddle, kMiddle};
  const auto read = file.empty() ? Sketch() : lab::read_sketch(file);
  sketch_ = read ? *read : Sketch();
  ImGui::OpenPopup("pad");
}

void DrawingPad::take(const Ui& ui, const lab::Parameter& parameter) {
  std::string value;
  if (!sketch_.empty()) {
    const auto file = keep_drawing(drawings_folder(), sketch_);
    if (!file) {
      ui.post([why = ui.tr(file.error())](Book& book) { book.tell(Toast::Kind::bad, why); });
      return;
    }
    value = file->file.string();
    if (file->is_new) written_.push_back(file->file);
    drawn_for_ = parameter.name;
  }
  ui.post([name = parameter.name, value](Book& book) { book.drag_value(name, lab::Value(value)); });
}

void DrawingPad::undo(const Ui& ui, const lab::Parameter& parameter) {
  if (before_.empty()) return;
  sketch_ = before_.back();
  before_.pop_back();
  take(ui, parameter);
}

void DrawingPad::remove_passing(const std::filesystem::path& used) {
  std::error_code failed;
  for (const std::filesystem::path& file : written_) {
    if (file != used) std::filesystem::remove(file, failed);
  }
  written_.clear();
}

void DrawingPad::begin_stroke() { before_.push_back(sketch_); }

void DrawingPad::stroke_to(const Ui& ui, const lab::Parameter& parameter, const Sketch::Place& to) {
  const Sketch earlier = sketch_;
  sketch_.stroke(last_.value_or(to), to, kWidths[static_cast<std::size_t>(tool_)],
                 tool_ != Tool::eraser);
  last_ = to;
  if (!(sketch_ == earlier)) take(ui, parameter);
}

void DrawingPad::draw_by_mouse(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner) {
  if (ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    if (!last_) begin_stroke();
    const ImVec2 mouse = ImGui::GetMousePos();
    stroke_to(ui, parameter,
              {static_cast<double>((mouse.x - corner.x) / kPoint),
               static_cast<double>((mouse.y - corner.y) / kPoint)});
  } else if (last_ && !ImGui::IsKeyDown(ImGuiKey_Space)) {
    last_.reset();
    ui.post([](Book& book) { book.end_drag(); });
  }
}

void DrawingPad::draw_by_keys(const Ui& ui, const lab::Parameter& parameter) {
  constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,
                             ImGuiKey_DownArrow, ImGuiKey_Space};
  own_keys(kKeys);
  const auto steps = [](ImGuiKey back, ImGuiKey forth) {
    return (ImGui::IsKeyPressed(forth) ? 1.0 : 0.0) - (ImGui::IsKeyPressed(back) ? 1.0 : 0.0);
  };
  const auto on_pad = [](double place) {
    return std::clamp(place, 0.0, static_cast<double>(Sketch::kSide));
  };
  pen_ = {on_pad(pen_.x + steps(ImGuiKey_LeftArrow, ImGuiKey_RightArrow)),
          on_pad(pen_.y + steps(ImGuiKey_UpArrow, ImGuiKey_DownArrow))};
  if (!ImGui::IsKeyDown(ImGuiKey_Space)) return;
  if (!last_) begin_stroke();
  stroke_to(ui, parameter, pen_);
}

void DrawingPad::draw_ink(const Ui& ui, ImVec2 corner) const {
  const Ink ink = ui.ink();
  ink.fill(corner, {corner.x + kPaper, corner.y + kPaper}, ui.theme.s0, measure::kControlRadius);
  for (std::size_t y = 0; y < Sketch::kSide; ++y) {
    for (std::size_t x = 0; x < Sketch::kSide; ++x) {
      if (!sketch_.at(x, y)) continue;
      const ImVec2 min{corner.x + kPoint * static_cast<float>(x),
                       corner.y + kPoint * static_cast<float>(y)};
      ink.fill(min, {min.x + kPoint, min.y + kPoint}, ui.theme.t1);
    }
  }
  ink.outline(corner, {corner.x + kPaper, corner.y + kPaper}, ui.theme.line,
              measure::kControlRadius);
}

void DrawingPad::draw_paper(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner) {
  item("paper", corner, {corner.x + kPaper, corner.y + kPaper});
  const bool by_keys = ImGui::IsItemFocused() && ImGui::GetIO().NavVisible;
  draw_by_mouse(ui, parameter, corner);
  if (by_keys) draw_by_keys(ui, parameter);
  draw_ink(ui, corner);
  if (!by_keys) return;
  const ImVec2 pen{corner.x + kPoint * static_cast<float>(pen_.x),
                   corner.y + kPoint * static_cast<float>(pen_.y)};
  ui.ink().list()->AddCircle(pen, kPoint / 2, ui.theme.accent, 0, 2);
}

void DrawingPad::draw_tools(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner,
                            float width) {
  float x = corner.x, y = corner.y;
  const auto begin_row = [&] {
    x = corner.x;
    y += kToolRow + kToolGap;
  };
  const auto place = [&](const std::string& label, const ButtonLook& look) {
    const float wide = button_width(ui, label, look);
    if (x > corner.x && x + wide > corner.x + width) begin_row();
    const ImVec2 at{x, y};
    x += wide + kToolGap;
    return at;
  };
  for (std::size_t i = 0; i < std::size(kToolNames); ++i) {
    const std::string label = ui.tr("gui.pad." + std::string(kToolNames[i]));
    ButtonLook look;
    look.chosen = tool_ == static_cast<Tool>(i);
    if (button(ui, kToolNames[i], place(label, look), label, look)) tool_ = static_cast<Tool>(i);
  }
  begin_row();
  ButtonLook look{ButtonKind::quiet};
  look.disabled = before_.empty();
  const std::string undo_label = ui.tr("gui.pad.undo"), clear = ui.tr("gui.pad.clear");
  // Not in the middle of a stroke, which goes on from what is there.
  const bool by_keys = !last_ && ImGui::IsKeyChordPressed(kUndo);
  if (button(ui, "undo", place(undo_label, look), undo_label, look) || by_keys) undo(ui, parameter);
  look.disabled = sketch_.empty();
  if (button(ui, "clear", place(clear, look), clear, look)) {
    begin_stroke();
    sketch_ = {};
    take(ui, parameter);
  }
}

void DrawingPad::draw_answer(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner,
                             float width) {
  const auto report = ui.book.pictures();
  const lab::Exhibit* answer = report ? report->find(parameter.name) : nullptr;
  if (!answer || ui.book.veil(answer->id)) return;
  exhibit_panel_alone({ui, corner, width, true}, *answer);
}

void DrawingPad::draw(const Ui& ui, const lab::Parameter& parameter) {
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const ImVec2 size = pad_size();
  ImGui::SetNextWindowPos({viewport.Pos.x + (viewport.Size.x - size.x) / 2,
                           viewport.Pos.y + (viewport.Size.y - size.y) / 2});
  ImGui::SetNextWindowSize(size);
  if (!ImGui::BeginPopup("pad", ImGuiWindowFlags_NoMove)) {
    if (parameter.name == drawn_for_)
      remove_passing(ui.book.inputs().values.picture(parameter.name));
    return;
  }
  const ImVec2 at = ImGui::GetWindowPos();
  if (ui.theme.outline)
    ui.ink().outline(at, {at.x + size.x, at.y + size.y}, ui.theme.outline, measure::kPanelRadius);
  const float left = at.x + measure::kPadding, top = at.y + kPadHead;
  ui.ink().text_middle(left, at.y + kPadHead / 2, ui.label_bold(), ui.tr("gui.pad.title"));
  constexpr float kClose = 28;
  const ImVec2 close{at.x + size.x - measure::kPadding - kClose, at.y + (kPadHead - kClose) / 2};
  if (icon_button(ui, "close", close, Icon::cross, ui.tr("gui.pad.close") + " (Esc)", kClose))
    ImGui::CloseCurrentPopup();
  draw_paper(ui, parameter, {left, top});
  draw_tools(ui, parameter, {left, top + kPaper + kToolGap}, kPaper);
  const float answer = left + kPaper + measure::kPadding;
  draw_answer(ui, parameter, {answer, top}, at.x + size.x - measure::kPadding - answer);
  ui.ink().text_middle(left, at.y + size.y - kPadFoot / 2, ui.note(),
                       ui.ink().fitted(ui.note(), ui.tr("gui.pad.keys", {{"undo", kUndoKeys}}),
                                       size.x - 2 * measure::kPadding));
  ImGui::EndPopup();
}

}  // namespace warpbook::gui
