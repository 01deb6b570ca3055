#include "gui/present/vote_chart.hpp"

#include <algorithm>
#include <cmath>

#include "gui/controls/spans.hpp"
#include "gui/controls/widgets.hpp"
#include "lab/document/markdown.hpp"

namespace warpbook::gui {
namespace {
constexpr float kInset = 24, kTitle = 44, kLetter = 44, kCount = 132, kTextLine = 26, kMostBar = 34,
                kBetween = 4;

/// "12 · 40 %"; of nobody's hands the count alone.
std::string count_text(const Ui& ui, const Poll& poll, Vote vote, std::size_t choice) {
  std::string hands = std::to_string(poll.hands(vote, choice));
  if (poll.total(vote) == 0) return hands;
  const auto percent = std::lround(poll.share(vote, choice) * 100);
  return ui.tr("gui.vote.count",
               {{"hands", std::move(hands)}, {"percent", std::to_string(percent)}});
}

struct Row {
  ImVec2 min, max;
  std::size_t choice = 0;
  bool right = false;
};

/// While a class still thinks, it does not see what the majority says: of the vote that is taken, only which choices have been counted.
void draw_counted(const Ui& ui, const Row& row, float middle, const Poll& poll) {
  if (poll.hands(poll.vote(), row.choice) != 0)
    ui.ink().text_middle(row.max.x - 8, middle, {Face::sans, 17, ui.theme.t3},
                         ui.tr("gui.vote.counted"), Align::right);
}

void draw_bar(const Ui& ui, const Row& row, float top, float high, const Poll& poll, Vote vote) {
  const Ink ink = ui.ink();
  const float left = row.min.x + kLetter, room = row.max.x - kCount - left;
  const bool now = vote == poll.vote();
  const Colour colour = row.right ? ui.theme.ok : ui.theme.category[0];
  const ImGuiID id =
      ImGui::GetID(static_cast<int>(row.choice * 2 + static_cast<std::size_t>(vote)));
  const float share = ui.motion.to(id, static_cast<float>(poll.share(vote, row.choice)));
  ink.fill({left, top}, {left + room, top + high}, ui.theme.s2, measure::kCellRadius);
  if (share > 0)
    ink.fill({left, top}, {left + std::max(3.0f, room * share), top + high},
             fade(colour, vote == Vote::first ? 0.5f : 1), measure::kCellRadius);
  const Type type{now ? Face::mono_bold : Face::mono, std::min(17.0f, high + 2),
                  now ? ui.theme.t1 : ui.theme.t3};
  ink.text_middle(row.max.x - 8, top + high / 2, type, count_text(ui, poll, vote, row.choice),
                  Align::right);
}

void draw_row(const Ui& ui, const Row& row, const Poll& poll, const std::string& text,
              bool revealed) {
  const Ink ink = ui.ink();
  const bool selected = poll.selected() == row.choice;
  if (selected || ImGui::IsItemHovered())
    ink.fill(row.min, row.max, selected ? ui.theme.accent_tint : ui.theme.s3,
             measure::kControlRadius);
  const Colour letter = row.right ? ui.theme.ok : ui.theme.accent_text;
  ink.text_middle(row.min.x + kLetter / 2, (row.min.y + row.max.y) / 2, {Face::bold, 28, letter},
                  choice_letter(row.choice), Align::centre);
  const bool both = poll.vote() == Vote::second;
  const float room = row.max.y - row.min.y - kTextLine - 12;
  const float high = std::min(kMostBar, both ? (room - kBetween) / 2 : room);
  const float used = kTextLine + high + (both ? high + kBetween : 0);
  float top = (row.min.y + row.max.y - used) / 2;
  const Type label{Face::sans, 16, ui.theme.t2};
  const float left = row.min.x + kLetter;
  ink.text_middle(left, top + kTextLine / 2 - 2, label,
                  ink.fitted(label, text, row.max.x - left - 32));
  if (row.right) ink.icon(Icon::check, {row.max.x - 18, top + kTextLine / 2 - 2}, ui.theme.ok, 18);
  top += kTextLine;
  if (!revealed) return draw_counted(ui, row, top + high / 2, poll);
  draw_bar(ui, row, top, high, poll, Vote::first);
  if (both) draw_bar(ui, row, top + high + kBetween, high, poll, Vote::second);
}
}  // namespace

ChartPress vote_chart(const Ui& ui, ImVec2 corner, ImVec2 size, const Poll& poll,
                      const lab::PredictDirective& question, bool revealed,
                      const std::optional<std::string>& right) {
  constexpr float kMostRow = 132, kGap = 8, kHelp = 30;
  const Ink ink = ui.ink();
  const float left = corner.x + kInset, end = corner.x + size.x - kInset;
  ink.text_middle(left, corner.y + kTitle / 2 + 8, ui.section(),
                  ui.tr(poll.vote() == Vote::first ? "gui.vote.first" : "gui.vote.second"));
  const std::string hands =
      ui.tr("gui.vote.hands", {{"count", std::to_string(poll.total(poll.vote()))}});
  ink.text_middle(end, corner.y + kTitle / 2 + 8, {Face::sans, 17, ui.theme.t2}, hands,
                  Align::right);
  const auto count = static_cast<float>(poll.choices());
  const float room = size.y - kTitle - 16 - kHelp;
  const float high = std::min(kMostRow, (room - kGap * (count - 1)) / count);
  ChartPress press;
  float y = corner.y + kTitle + 12;
  for (std::size_t i = 0; i < poll.choices(); ++i) {
    const lab::PredictDirective::Choice& choice = question.choices[i];
    const Row row{{left - 8, y}, {end + 8, y + high}, i, right && *right == choice.value};
    if (item(("choice " + choice_letter(i)).c_str(), row.min, row.max)) press.choice = i;
    draw_row(ui, row, poll, lab::plain_text(choice.text), revealed);
    y += high + kGap;
  }
  ink.text_middle(left, y + kHelp / 2, ui.note(),
                  ink.fitted(ui.note(), ui.tr("gui.vote.help"), end - left));
  return press;
}

}  // namespace warpbook::gui
