// A question that the reader answers before seeing the run.
#include <algorithm>

#include "gui/book/votes.hpp"
#include "gui/document/nodes.hpp"
#include "lab/document/question_gpu.hpp"

namespace warpbook::gui {
namespace {
enum class Shown : std::uint8_t { open, right, wrong, other };

struct Option {
  const lab::PredictDirective::Choice& choice;
  Shown shown;
  bool theirs;              ///< the reader's answer
  bool computed;            ///< the answer that the run gives
  std::string letter = {};  ///< by which a class votes for it; empty: none
};

constexpr float kLetter = 24;  // the room of a letter before the icon

ParagraphStyle option_style(const Ui& ui, Shown shown) {
  return {
      16, ui.leading(22), Face::sans, Face::bold, shown == Shown::other ? ui.theme.t3 : ui.theme.t1,
      0};
}

void draw_ground(const Ui& ui, const Option& option, ImVec2 min, ImVec2 max, bool hovered) {
  const Ink ink = ui.ink();
  const float letter = option.letter.empty() ? 0 : kLetter;
  const ImVec2 icon{min.x + 20 + letter, (min.y + max.y) / 2};
  switch (option.shown) {
    case Shown::open:
      ink.fill(min, max, hovered ? ui.theme.s4 : ui.theme.s3, measure::kControlRadius);
      ink.icon(Icon::waiting, icon, ui.theme.t3, 16);
      if (hovered) ink.list()->AddCircleFilled(icon, 3.5f, ui.theme.t2);
      break;
    case Shown::right:
      ink.fill(min, max, ui.theme.ok_tint, measure::kControlRadius);
      ink.icon(Icon::check, icon, ui.theme.ok, 16, ui.theme.ok_tint);
      break;
    case Shown::wrong:
      ink.fill(min, max, ui.theme.bad_tint, measure::kControlRadius);
      ink.icon(Icon::cross, icon, ui.theme.bad, 16, ui.theme.bad_tint);
      break;
    case Shown::other: ink.icon(Icon::waiting, icon, ui.theme.t4, 16); break;
  }
  if (letter > 0)
    ink.text_middle(min.x + 20, icon.y, {Face::bold, 17, ui.theme.accent_text}, option.letter,
                    Align::centre);
}

void set_option(Flow& flow, const Option& option, const std::string& id, int number, bool keyed) {
  const Ui& ui = flow.ui();
  const ParagraphStyle style = option_style(ui, option.shown);
  const std::string word = option.theirs     ? ui.tr("gui.predict.your-answer")
                           : option.computed ? ui.tr("gui.predict.the-run")
                                             : "";
  const float word_width = word.empty() ? (option.shown == Shown::open ? 26.0f : 0.0f)
                                        : ui.ink().width(ui.note(), word) + 14;
  const Runs runs = runs_of(ui, option.choice.text);
  const float indent = option.letter.empty() ? 40 : 40 + kLetter, trailing = word_width + 12;
  float text_height = 0;
  flow.inset(0, trailing,
             [&](Flow& inside) { text_height = inside.height_of(runs, style, indent); });
  const float height = std::max(36.0f, text_height + 14);
  const ImVec2 min = flow.corner(), max{flow.right(), flow.y() + height};
  if (flow.drawing()) {
    ImGui::PushID(number);
    bool hovered = false;
    if (option.shown == Shown::open) {
      const bool pressed =
          flow.pressed("choice", min, max) ||
          (keyed && !ui.typing && ImGui::GetIO().KeyMods == 0 &&
           ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_1 + number - 1), false));
      hovered = ImGui::IsItemHovered();
      if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      if (pressed) {
        ui.post([id, value = option.choice.value](Book& book) { book.answer(id, value); });
        flow.take_answer();
      }
    }
    draw_ground(ui, option, min, max, hovered);
    const float middle = (min.y + max.y) / 2;
    if (!word.empty()) {
      const Colour colour = option.shown == Shown::wrong ? ui.theme.bad : ui.theme.ok;
      ui.ink().text_middle(max.x - 12, middle, {Face::sans, 13, colour}, word, Align::right);
    } else if (option.shown == Shown::open && keyed) {
      ui.ink().text_middle(max.x - 14, middle, {Face::mono, 12, ui.theme.t3},
                           std::to_string(number), Align::right);
    }
    ImGui::PopID();
  }
  const float space = (height - text_height) / 2;
  flow.gap(space);
  flow.set_chip(option.shown == Shown::open ? ui.theme.s4 : ui.theme.s3);
  flow.inset(0, trailing, [&](Flow& inside) { inside.paragraph(runs, style, indent); });
  flow.set_chip(0);
  flow.gap(space);
}

/// The explanation after an answer: why it is right, or what it would imply and what the run shows instead.
void set_reason(Flow& flow, const lab::PredictDirective& predict,
                const lab::PredictDirective::Choice* given, bool right) {
  const Ui& ui = flow.ui();
  const auto report = ui.book.deciding_report(predict);
  const ParagraphStyle style{
      15,         ui.leading(22), Face::sans,
      Face::bold, ui.theme.t2,    !given ? ui.theme.t1 : right ? ui.theme.ok : ui.theme.bad};
  const std::string space = ui.tr("list.sentences");
  Runs runs;
  if (given) {
    runs.push_back({ui.tr(right ? "gui.predict.right" : "gui.predict.wrong") + space,
                    Run::Kind::text,
                    true,
                    false,
                    {}});
  }
  const lab::Spans& said = given && !right ? given->why : predict.right;
  for (Run& run : runs_of(ui, said, report.get())) {
    run.strong = run.strong && !given;  // only the lead has the result's colour
    runs.push_back(std::move(run));
  }
  flow.gap(8);
  flow.paragraph(runs, style);
  if (given && !right) {
    flow.gap(4);
    flow.paragraph(runs_of(ui, predict.right, report.get()),
                   {15, style.line, Face::sans, Face::bold, ui.theme.t2, 0});
    if (!given->set.empty()) {
      flow.gap(8);
      if (flow.drawing()) {
        static constexpr Icon kIcon = Icon::play;
        const ButtonLook look{ButtonKind::plain, measure::kCardButton, &kIcon, ui.theme.accent};
        if (button(ui, "see the run", flow.corner(), ui.tr("gui.predict.see-run"), look)) {
          ui.post([wanted = Case{given->set, predict.source, predict.source_text}](Book& book) {
            book.set_case(wanted);
          });
        }
      }
      flow.gap(measure::kCardButton);
    }
  }
}

/// The button that opens the question again.
void set_ask_again(Flow& flow, const lab::PredictDirective& predict) {
  const Ui& ui = flow.ui();
  flow.gap(4);
  if (flow.drawing()) {
    static constexpr Icon kAgain = Icon::reset;
    const ButtonLook look{ButtonKind::quiet, measure::kCardButton, &kAgain};
    const std::string says = ui.tr("gui.predict.ask-again");
    const float width = button_width(ui, says, look);
    if (button(ui, "ask again", {flow.right() - width, flow.y()}, says, look))
      ui.post([id = predict.id](Book& book) { book.ask_again(id); });
  }
  flow.gap(measure::kCardButton - 6);
}
}  // namespace

void set_predict(Flow& flow, const lab::PredictDirective& predict, const NodeContext& context) {
  const Ui& ui = flow.ui();
  const auto answered = ui.book.answers().find(predict.id);
  const bool open = answered == ui.book.answers().end();
  const auto computed = open ? std::nullopt : ui.book.right_value(predict);
  if (flow.drawing()) ImGui::PushID(predict.id.c_str());
  flow.card({ui.theme.s2, ui.theme.accent, 20, 0, 16}, [&](Flow& inside) {
    if (inside.drawing()) {
      const Ink ink = ui.ink();
      const float middle = inside.y() + 20;
      ink.icon(Icon::question, {inside.left() + 8, middle}, ui.theme.accent, 15, ui.theme.s2);
      ink.text_middle(inside.left() + 24, middle, ui.label_bold(), ui.tr("gui.predict.title"));
      ink.text_middle(inside.right(), middle, ui.note(),
                      ui.tr("gui.predict.of", {{"number", std::to_string(context.predict)},
                                               {"total", std::to_string(context.predicts)}}),
                      Align::right);
    }
    inside.gap(38);
    inside.paragraph(runs_of(ui, predict.question), ui.prose());
    if (const device::Properties* gpu = lab::gpu_to_name(predict, ui.book.inputs()))
      inside.paragraph(plain_runs(ui.tr("document.question-gpu", {{"gpu", gpu->name}})),
                       ui.caption_style());
    inside.gap(10);
    const bool keyed = open && context.keyed == predict.id;
    const lab::PredictDirective::Choice* given = nullptr;
    bool right = false;
    int number = 0;
    inside.begin_choices();
    for (const auto& choice : predict.choices) {
      Option option{choice, Shown::open, false, false,
                    context.lettered ? choice_letter(static_cast<std::size_t>(number)) : ""};
      if (!open) {
        option.theirs = answered->second == choice.value && !answered->second.empty();
        // An empty value is a choice too ("none"); "show me" is recorded as an empty answer and
        // chooses nothing.
        option.computed = computed && *computed == choice.value;
        option.shown = option.computed ? Shown::right : option.theirs ? Shown::wrong : Shown::other;
        if (!computed) option.shown = option.theirs ? Shown::open : Shown::other;
        if (option.theirs) {
          given = &choice;
          right = option.computed;
        }
      }
      set_option(inside, option, predict.id, ++number, keyed);
      inside.gap(5);
    }
    if (open) {
      inside.gap(4);
      if (inside.drawing()) {
        const ButtonLook look{ButtonKind::quiet, measure::kCardButton};
        const float width = button_width(ui, ui.tr("gui.predict.show-me"), look);
        if (button(ui, "show me", {inside.right() - width, inside.y()},
                   ui.tr("gui.predict.show-me"), look)) {
          ui.post([id = predict.id](Book& book) { book.answer(id, ""); });
          inside.take_answer();
        }
        if (keyed) {
          ui.ink().text_middle(
              inside.left(), inside.y() + measure::kCardButton / 2, ui.note(),
              ui.tr("gui.predict.keys", {{"count", std::to_string(predict.choices.size())}}));
        }
      }
      inside.gap(measure::kCardButton - 6);
    } else if (computed) {
      set_reason(inside, predict, given, right);
      set_ask_again(inside, predict);
    } else {
      inside.gap(6);
      inside.paragraph(plain_runs(ui.tr("gui.predict.running")), ui.caption_style());
    }
  });
  if (flow.drawing()) ImGui::PopID();
}

}  // namespace warpbook::gui
