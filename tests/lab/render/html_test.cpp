#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <vector>

#include "lab/markup/html_parts.hpp"
#include "lab/render/render.hpp"
#include "lab/report/report.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"
#include "tests/says.hpp"

namespace warpbook::lab::html_test {
namespace {

using sample::exhibit;
using sample::tensor;
using tests::holds;

std::size_t times(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

/// The first tag that is not closed where it should be; empty where all are.
std::string unbalanced(const std::string& html) {
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    if (end == std::string::npos) return "a tag without an end";
    if (html[at + 1] == '!' || html[end - 1] == '/') continue;
    const bool closing = html[at + 1] == '/';
    const std::size_t start = at + (closing ? 2 : 1);
    const std::string name = html.substr(start, html.find_first_of(" >", start) - start);
    if (name == "meta") continue;
    if (!closing)
      open.push_back(name);
    else if (open.empty() || open.back() != name)
      return name;
    else
      open.pop_back();
  }
  return open.empty() ? "" : open.back();
}

std::string english(ExhibitValue value) {
  return to_html(exhibit(std::move(value)), *sample::strings("en"));
}

}  // namespace

TEST_CASE("HTML: every kind is a figure with its sentence, in both languages, every tag closed") {
  const auto strings = sample::strings(GENERATE(as<std::string>{}, "en", "zh"));
  const Report report = sample::full_report();
  for (const Exhibit& one : report.exhibits) {
    CAPTURE(one.id);
    const std::string html = to_html(one, *strings);
    CHECK(unbalanced(html).empty());
    CHECK(holds(html, "<figure class=\"wb-exhibit wb-" + std::string(kind_of(one))));
    CHECK(holds(html, escaped(sentence(one, *strings))));
    CHECK_FALSE(holds(html, "<script"));
  }
  const std::string page = to_html_page(report.subject, to_html(report, *strings), *strings);
  CHECK(unbalanced(page).empty());
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(holds(page, "prefers-color-scheme: light"));
  CHECK_FALSE(holds(page, "http"));
}

TEST_CASE("HTML: what a reader or a kernel names cannot become markup") {
  const std::string evil = "\"><script>alert(1)</script><img src=x onerror='a'>&\x01\xff";
  Report report = sample::full_report();
  report.subject = evil;
  report.device = Message::plain(evil);
  for (Exhibit& one : report.exhibits) {
    one.id = evil;
    one.title = Message::plain(evil);
    one.evidence = device::Evidence{device::EvidenceKind::counted, Message::plain(evil), evil};
  }
  for (auto& array : std::get<AccessesExhibit>(report.exhibits[0].value).arrays)
    array.tensor.name = evil;
  std::get<GeometryExhibit>(report.exhibits[2].value).kernel = evil;
  std::get<TensorExhibit>(report.exhibits[3].value).name = evil;
  auto& source = std::get<SourceExhibit>(report.exhibits[4].value);
  source.file = source.text = source.ptx = evil;
  source.marks[0].text = Message::plain(evil);
  auto& timings = std::get<TimingsExhibit>(report.exhibits[5].value);
  timings.what = timings.rows[0].label = timings.rows[0].bottleneck = Message::plain(evil);
  timings.rows[0].evidence.on = Message::plain(evil);
  auto& item = std::get<CheckExhibit>(report.exhibits[6].value).items[0];
  item.sentence = item.got = item.advice = Message::plain(evil);
  item.cases[0].name = item.mismatches[0].expected = item.mismatches[0].got = evil;
  item.mismatches[0].written_by = Message::plain(evil);
  item.inputs = {evil, {evil}, {{evil, 1, 0, {evil}}}};
  std::get<TextExhibit>(report.exhibits[7].value).text = Message::plain(evil);
  report.errors[0].arguments = {{"name", evil}};
  report.errors[0].place.file = evil;
  const auto strings = sample::strings("en");
  const std::string page = to_html_page(evil, to_html(report, *strings), *strings);
  CHECK(unbalanced(page).empty());
  CHECK(times(page, "<script") == 0);
  CHECK(times(page, "<img") == 0);
  CHECK(page.find('\x01') == std::string::npos);
  CHECK(page.find('\xff') == std::string::npos);
}

TEST_CASE("HTML of accesses: the picture says each wire in words") {
  const std::string html = english(sample::guarded(10, 3, 4));
  CHECK(times(html, "<title>") == 10);
  CHECK(holds(html, "thread 1 of block 2 → out[9]"));
}

TEST_CASE(
    "HTML of accesses: too many threads for a picture are a table, also with strays a gigabyte "
    "away") {
  CHECK(holds(english(sample::guarded(1000, 4, 256)), "<table class=\"wb-table\">"));
  const std::string far =
      english(sample::wires(4, 1, 4, [](std::int64_t i) { return i == 3 ? 268'435'456 : i; }));
  CHECK(holds(far, "<svg class=\"wb-picture\""));
  CHECK(holds(far, ">268435456</text>"));
}

TEST_CASE("HTML of a tensor: ten million elements are a page, not a book") {
  TensorExhibit big = tensor("big", std::vector<int>(10'000'000, 7));
  for (const auto view : {TensorExhibit::View::table, TensorExhibit::View::plot,
                          TensorExhibit::View::heat, TensorExhibit::View::image}) {
    big.view = view;
    const std::string html = english(big);
    CHECK(html.size() < 64 * 1024);
    CHECK(tests::Says("tensor.more", {}, tests::patterns_of(sample::english())).match(html) ==
          (view == TensorExhibit::View::table));
  }
}

TEST_CASE("HTML of a tensor: wrong elements carry a mark as well as a colour") {
  TensorExhibit out = tensor<int>("out", {6, 8});
  out.wrong = {1};
  CHECK(holds(english(out), "<td class=\"wb-wrong\">8✗</td>"));
}

TEST_CASE("HTML: nothing to show is no error") {
  for (const ExhibitValue& value : std::vector<ExhibitValue>{
           TensorExhibit{"t", device::ElementType::f32, {0}, {}, {}}, AccessesExhibit{},
           GeometryExhibit{}, SourceExhibit{}, TimingsExhibit{}, CheckExhibit{}, TextExhibit{}}) {
    CHECK(unbalanced(english(value)).empty());
  }
}

}  // namespace warpbook::lab::html_test
