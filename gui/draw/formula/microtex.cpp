// Lets MicroTeX lay a formula out, and records the glyphs and bars that it would draw.
#include "gui/draw/formula/layout.hpp"

#ifdef WARPBOOK_MICROTEX

#include <exception>
#include <memory>

#include <microtex.h>

namespace warpbook::gui {
namespace {

constexpr float kEm = 1000;  // large, because MicroTeX rounds to whole numbers

/// MicroTeX knows a font by its file alone.
class NamedFont : public microtex::Font {
 public:
  bool operator==(const microtex::Font&) const override { return true; }
};

/// Text in fonts of the system. Formulae need none, because they are ASCII.
class NoWords : public microtex::TextLayout {
 public:
  void getBounds(microtex::Rect& bounds) override { bounds = {0, 0, 0, 0}; }
  void draw(microtex::Graphics2D&, float, float) override {}
};

class Factory : public microtex::PlatformFactory {
 public:
  microtex::sptr<microtex::Font> createFont(const std::string&) override {
    return std::make_shared<NamedFont>();
  }
  microtex::sptr<microtex::TextLayout> createTextLayout(const std::string&, microtex::FontStyle,
                                                        float) override {
    return std::make_shared<NoWords>();
  }
};

/// Records glyphs and bars. The book's formulae need nothing else; if MicroTeX draws anything more, `complete` is false.
class Recorder : public microtex::Graphics2D {
 public:
  FormulaLayout layout;
  bool complete = true;

  void setColor(microtex::color colour) override { colour_ = colour; }
  [[nodiscard]] microtex::color getColor() const override { return colour_; }
  void setStroke(const microtex::Stroke& stroke) override { stroke_ = stroke; }
  [[nodiscard]] const microtex::Stroke& getStroke() const override { return stroke_; }
  void setStrokeWidth(float width) override { stroke_.lineWidth = width; }
  void setDash(const std::vector<float>& dash) override { complete = complete && dash.empty(); }
  std::vector<float> getDash() override { return {}; }
  [[nodiscard]] microtex::sptr<microtex::Font> getFont() const override { return font_; }
  void setFont(const microtex::sptr<microtex::Font>& font) override { font_ = font; }
  [[nodiscard]] float getFontSize() const override { return size_; }
  void setFontSize(float size) override { size_ = size; }

  void translate(float dx, float dy) override {
    x_ += scale_ * dx;
    y_ += scale_ * dy;
  }
  void scale(float across, float down) override {
    complete = complete && across == down;
    scale_ *= across;
  }
  void rotate(float) override { complete = false; }
  void rotate(float, float, float) override { complete = false; }
  void reset() override { complete = false; }
  [[nodiscard]] float sx() const override { return scale_; }
  [[nodiscard]] float sy() const override { return scale_; }

  void drawGlyph(microtex::u16 glyph, float x, float y) override {
    layout.glyphs.push_back({glyph, across(x), down(y), size_ * scale_ / kEm});
  }
  /// The bar of a fraction or a root, whose thickness is centred on its line.
  void drawLine(float x, float y, float to_x, float to_y) override {
    complete = complete && y == to_y;
    fillRect(x, y - stroke_.lineWidth / 2, to_x - x, stroke_.lineWidth);
  }
  void fillRect(float x, float y, float width, float height) override {
    layout.bars.push_back({across(x), down(y), width * scale_ / kEm, height * scale_ / kEm});
  }

  bool beginPath(microtex::i32) override { return false; }
  void moveTo(float, float) override { complete = false; }
  void lineTo(float, float) override { complete = false; }
  void cubicTo(float, float, float, float, float, float) override { complete = false; }
  void quadTo(float, float, float, float) override { complete = false; }
  void closePath() override {}
  void fillPath(microtex::i32) override {}
  void drawRect(float, float, float, float) override { complete = false; }
  void drawRoundRect(float, float, float, float, float, float) override { complete = false; }
  void fillRoundRect(float, float, float, float, float, float) override { complete = false; }

 private:
  [[nodiscard]] float across(float x) const { return (x_ + scale_ * x) / kEm; }
  [[nodiscard]] float down(float y) const { return (y_ + scale_ * y) / kEm; }

  microtex::color colour_ = 0xff000000;
  microtex::Stroke stroke_;
  microtex::sptr<microtex::Font> font_;
  float size_ = 1, scale_ = 1, x_ = 0, y_ = 0;
};

/// MicroTeX is initialised once and stays so as long as the process lives.
void begin(const MathFont& font) {
  if (microtex::MicroTeX::isInited()) return;
  microtex::PlatformFactory::registerFactory("warpbook", std::make_unique<Factory>());
  microtex::PlatformFactory::activate("warpbook");
  const microtex::FontSrcFile source(font.measures, font.outlines);
  microtex::MicroTeX::init(source);
}

}  // namespace

std::optional<FormulaLayout> lay_out_formula(const std::string& latex, bool displayed,
                                             const MathFont& font) {
  // It reports errors by throwing, also that a font is broken.
  try {
    begin(font);
    const microtex::TexStyle style =
        displayed ? microtex::TexStyle::display : microtex::TexStyle::text;
    const std::unique_ptr<microtex::Render> render(
        microtex::MicroTeX::parse(latex, 0, kEm, 0, microtex::black, false, {true, style}));
    Recorder recorder;
    recorder.layout.width = static_cast<float>(render->getWidth()) / kEm;
    recorder.layout.descent = static_cast<float>(render->getDepth()) / kEm;
    recorder.layout.ascent = static_cast<float>(render->getHeight() - render->getDepth()) / kEm;
    recorder.translate(0, -recorder.layout.ascent * kEm);
    render->draw(recorder, 0, 0);
    if (recorder.complete && !recorder.layout.glyphs.empty()) return std::move(recorder.layout);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace warpbook::gui

#else

namespace warpbook::gui {
std::optional<FormulaLayout> lay_out_formula(const std::string&, bool, const MathFont&) {
  return std::nullopt;
}
}  // namespace warpbook::gui

#endif
