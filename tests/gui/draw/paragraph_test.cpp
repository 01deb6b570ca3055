#include "gui/draw/paragraph.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/open_frame.hpp"

namespace warpbook::gui::paragraph_test {
namespace {
std::vector<std::string> lines_of(const Paragraph& paragraph, const Ink& ink, float line) {
  // Read back through hit-testing: the offset at the begin of each line.
  std::vector<std::size_t> begins;
  for (int i = 0; i < paragraph.lines(); ++i) {
    begins.push_back(paragraph.at({-1, (static_cast<float>(i) + 0.5f) * line}, ink).offset);
  }
  begins.push_back(paragraph.text().size());
  std::vector<std::string> lines;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i)
    lines.push_back(paragraph.text().substr(begins[i], begins[i + 1] - begins[i]));
  return lines;
}

bool has(const std::string& line, const char* words) {
  return line.find(words) != std::string::npos;
}
}  // namespace

TEST_CASE("no line begins with closing punctuation or ends with opening punctuation") {
  CHECK_FALSE(may_break(U'字', U'，'));
  CHECK_FALSE(may_break(U'字', U'。'));
  CHECK_FALSE(may_break(U'字', U'）'));
  CHECK_FALSE(may_break(U'（', U'字'));
  CHECK_FALSE(may_break(U'“', U'字'));
  CHECK(may_break(U'汉', U'字'));
  CHECK(may_break(U'，', U'字'));
  CHECK(may_break(U'字', U'a'));
  CHECK_FALSE(may_break(U'a', U'b'));
  CHECK_FALSE(may_break(U'a', U' '));
  CHECK(may_break(U' ', U'b'));
  CHECK_FALSE(may_break(U'0', U'%'));
}

TEST_CASE("Chinese lines keep to the width and the rules of punctuation at every width") {
  OpenFrame page;
  const Ink ink = page.ink();
  const std::string text =
      "内核是一个函数，由许多线程同时执行。没有循环去遍历数据：每个线程自己算出（用它的索引）哪个元"
      "素归它处理。";
  for (int points = 60; points < 600; points += 7) {
    CAPTURE(points);
    const auto width = static_cast<float>(points);
    const Paragraph paragraph(plain_runs(text), {}, width, ink);
    std::string joined;
    for (const std::string& line : lines_of(paragraph, ink, 26)) {
      joined += line;
      for (const char* mark : {"，", "。", "：", "）"}) CHECK_FALSE(line.starts_with(mark));
      CHECK_FALSE(line.ends_with("（"));
    }
    CHECK(joined == text);
    CHECK(paragraph.widest() <= width + 0.5f);
  }
}

TEST_CASE("a chip and the comma after it stay on one line") {
  OpenFrame page;
  const Ink ink = page.ink();
  Runs runs = plain_runs("each with its own ");
  Run chip;
  chip.kind = Run::Kind::code;
  chip.text = "threadIdx";
  runs.push_back(chip);
  runs.push_back(plain_runs(", and so on").front());
  for (int points = 100; points < 400; points += 5) {
    CAPTURE(points);
    const auto width = static_cast<float>(points);
    const Paragraph paragraph(runs, {}, width, ink);
    for (const std::string& line : lines_of(paragraph, ink, 26)) CHECK_FALSE(line.starts_with(","));
  }
}

TEST_CASE("a parameter, short code and a product are not parted where a line ends") {
  OpenFrame page;
  const Ink ink = page.ink();
  Runs runs = plain_runs("with blocks of ");
  for (const auto& [kind, text] : {std::pair{Run::Kind::parameter, "block_x = 4"},
                                   std::pair{Run::Kind::code, "y * width + x"}}) {
    Run chip;
    chip.kind = kind;
    chip.text = text;
    runs.push_back(chip);
    runs.push_back(plain_runs(" × 12 × 8 and so on, ").front());
  }
  for (int points = 240; points < 600; points += 5) {
    CAPTURE(points);
    const Paragraph paragraph(runs, {}, static_cast<float>(points), ink);
    for (const std::string& line : lines_of(paragraph, ink, 26)) {
      CAPTURE(line);
      CHECK_FALSE(line.starts_with("×"));
      CHECK_FALSE(line.ends_with("× "));
      CHECK(has(line, "block_x") == has(line, "= 4"));
      CHECK(has(line, "y * ") == has(line, "+ x"));
    }
  }
}

TEST_CASE("a word wider than the line is cut rather than overflowing") {
  OpenFrame page;
  const Paragraph paragraph(plain_runs(std::string(200, 'w')), {}, 120, page.ink());
  CHECK(paragraph.widest() <= 120);
  CHECK(paragraph.lines() > 5);
}

TEST_CASE("a point finds the character under it, also beyond the text") {
  OpenFrame page;
  const Ink ink = page.ink();
  const Paragraph paragraph(plain_runs("abc def"), {}, 400, ink);
  CHECK(paragraph.at({-5, 10}, ink).offset == 0);
  CHECK(paragraph.at({390, 10}, ink).offset == 7);
  const float two = ink.width({Face::sans, 17, 0}, "ab");
  CHECK(paragraph.at({two + 1, 10}, ink).offset == 2);
  CHECK(paragraph.at({10, 500}, ink).offset == 7);
}

TEST_CASE("damaged UTF-8 is laid out byte by byte, and none of it is lost") {
  OpenFrame page;
  const Ink ink = page.ink();
  for (const std::string text : {"\xE4\xBD", "a\xFFz", "\xC0", "\xF0\x9F"}) {
    const Paragraph paragraph(plain_runs(text), {}, 400, ink);
    CHECK(paragraph.text() == text);
    CHECK(paragraph.widest() > 0);
    CHECK(paragraph.at({390, 10}, ink).offset == text.size());
  }
}

}  // namespace warpbook::gui::paragraph_test
