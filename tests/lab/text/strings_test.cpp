#include "lab/text/strings.hpp"

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/lab/report/sample_report.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::lab::strings_test {
namespace {

namespace fs = std::filesystem;

/// Sets or unsets an environment variable for the life of a test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    if (value != nullptr)
      ::setenv(name, value, 1);
    else
      ::unsetenv(name);
  }
  ~Variable() {
    if (old_)
      ::setenv(name_, old_->c_str(), 1);
    else
      ::unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

/// A book with two languages and no strings yet.
class Root : public warpbook::tests::TemporaryFolder {
 public:
  Root() {
    write("lang/en/language.toml", "name = 'English'\nhtml = 'en'\n");
    write("lang/zh/language.toml", "name = '中文'\nhtml = 'zh-CN'\ncloses_up = true\n");
  }
};

}  // namespace

TEST_CASE("Strings: nested tables are keys with dots, and arguments are put in") {
  const Root root;
  root.write("lang/en/a.toml",
             "top = 'up'\n[a]\nb = 'x {one} y {two}'\n[a.c]\nd = '{missing} {'\n");
  const auto strings = Strings::load("en", root.path());
  REQUIRE(strings);
  CHECK((**strings)("top") == "up");
  CHECK((**strings)("a.b", {{"two", "2"}, {"one", "1"}}) == "x 1 y 2");
  CHECK((**strings)("a.c.d") == "{missing} {");
  CHECK((**strings)("a.b", {{"one", "{two}"}, {"two", "2"}}) == "x {two} y 2");
}

TEST_CASE("Strings: between Chinese words no space is left where one was put into the other") {
  const Root root;
  root.write("lang/en/a.toml", "a = '{name} took {time}'\n");
  root.write("lang/zh/a.toml", "a = '其中 {name} 用时 {time}。'\n");
  const auto strings = Strings::load("zh", root.path());
  REQUIRE(strings);
  const auto said = [&](const char* name) {
    return (**strings)("a", {{"name", name}, {"time", "2 ms"}});
  };
  CHECK(said("add") == "其中 add 用时 2 ms。");
  CHECK(said("模拟本身") == "其中模拟本身用时 2 ms。");
  CHECK(said("L1 缓存") == "其中 L1 缓存用时 2 ms。");
  CHECK(said("") == "其中  用时 2 ms。");
}

TEST_CASE("Strings: the argument count chooses between one and other") {
  const Root root;
  root.write("lang/en/a.toml", "t.one = 'a thread'\nt.other = '{count} threads'\n");
  const auto strings = Strings::load("en", root.path());
  REQUIRE(strings);
  CHECK((**strings)("t", {{"count", "1"}}) == "a thread");
  CHECK((**strings)("t", {{"count", "0"}}) == "0 threads");
  CHECK((**strings)("t", {{"count", "1,000"}}) == "1,000 threads");
  CHECK((**strings).has("t"));
  CHECK_FALSE((**strings).has("u"));
}

TEST_CASE("Strings: a missing key shows itself, and a message may be plain text") {
  const Root root;
  root.write("lang/en/a.toml", "a = 'b'\n");
  const auto strings = Strings::load("en", root.path());
  REQUIRE(strings);
  CHECK((**strings)("no.such") == "<no.such>");
  CHECK((**strings)(Message::plain("{a}")) == "{a}");
  CHECK((**strings)(Message{"a"}) == "b");
}

TEST_CASE("Strings: chapters and exercises bring their own, below their folder's name") {
  const Root root;
  root.write("lang/zh/a.toml", "a = 'b'\n");
  root.write("lessons/first/strings.zh.toml", "wires = '线程'\n[unit]\nn = '个'\n");
  root.write("lessons/first/strings.en.toml", "wires = 'wires'\n");
  root.write("exercises/saxpy/strings.zh.toml", "right = '对'\n");
  fs::create_directories(root.path() / "lessons/without");
  const auto strings = Strings::load("zh", root.path());
  REQUIRE(strings);
  CHECK((**strings)("first.wires") == "线程");
  CHECK((**strings)("first.unit.n") == "个");
  CHECK((**strings)("saxpy.right") == "对");
  CHECK((**strings).all().size() == 4);
}

TEST_CASE("Strings: a damaged table is an error that names file and line") {
  const Root root;
  root.write("lang/en/a.toml", "a = 'b'\n");
  SECTION("no such language") {
    const auto strings = Strings::load("de", root.path());
    REQUIRE_FALSE(strings);
    CHECK(strings.error().code == device::ErrorCode::file_unreadable);
    CHECK(strings.error().english().find("lang/de/language.toml") != std::string::npos);
  }
  SECTION("syntax") {
    root.write("lang/en/a.toml", "a = 'b'\nc = = 'd'\n");
    const auto strings = Strings::load("en", root.path());
    REQUIRE_FALSE(strings);
    CHECK(strings.error().code == device::ErrorCode::strings_damaged);
    CHECK(strings.error().place.file == "lang/en/a.toml");
    CHECK(strings.error().place.line == 2);
  }
  SECTION("a number") {
    root.write("lessons/first/strings.en.toml", "a = 'b'\n\nc = 4\n");
    const auto strings = Strings::load("en", root.path());
    REQUIRE_FALSE(strings);
    CHECK(strings.error().english() ==
          "lessons/first/strings.en.toml:3:5: the strings do not parse: "
          "first.c is not a string; mend this line");
  }
  SECTION("bytes that are not UTF-8") {
    root.write("lang/en/a.toml", "a = '\xff\xfe'\n");
    const auto strings = Strings::load("en", root.path());
    REQUIRE_FALSE(strings);
    CHECK(strings.error().place.line == 1);
  }
}

TEST_CASE("Strings: an error speaks the language, led by its place, on one line") {
  const device::Error error{
      device::ErrorCode::bad_define, {{"define", "A\nB"}, {"why", "x"}}, {"add.cu", 3, 7}};
  const std::string chinese = (*sample::strings("zh"))(error);
  CHECK(chinese.starts_with("add.cu:3:7: 宏定义“A B”不能使用"));
  CHECK((*sample::strings("en"))(error) == error.english());
}

TEST_CASE("Strings: an argument may be a message, and a list of messages is joined") {
  const Root root;
  root.write("lang/en/a.toml", "a = '{who} waits'\nw = 'warp {n}'\n[list]\nclauses = '; '\n");
  const auto strings = Strings::load("en", root.path());
  REQUIRE(strings);
  const auto warp = [](int n) { return Message{"w", {{"n", n}}, {}}; };
  CHECK((**strings)("a", {{"who", warp(3)}}) == "warp 3 waits");
  CHECK((**strings)("a", {{"who", Message::list_of("list.clauses", {warp(0), warp(1)})}}) ==
        "warp 0; warp 1 waits");
  CHECK((**strings)("a", {{"who", Message::list_of("list.clauses", {})}}) == " waits");
}

TEST_CASE("Strings: what an error quotes of the program's own words is in the reader's language") {
  const auto zh = sample::strings("zh");
  const device::Error refused{
      device::ErrorCode::invalid_configuration,
      {{"why",
        Message{"phrase.why.block-count",
                {{"block", "1025 x 1 x 1"}, {"count", 1025}, {"gpu", "H200"}, {"most", 1024}},
                {}}}},
      {}};
  CHECK((*zh)(refused) ==
        "cudaErrorInvalidConfiguration：每块 1025 x 1 x 1 = 1025 个线程，而 H200 最多允许 1024 "
        "个；请用更多、更小的线程块");
  const Message lanes{"phrase.who.lanes", {{"warp", 1}, {"lanes", "0-31"}}, {}};
  const Message waits{
      "phrase.who.waits", {{"who", lanes}, {"instruction", "bar.sync 0"}, {"line", 9}}, {}};
  const Message in_block{
      "phrase.who.of-block",
      {{"block", 0}, {"who", Message::list_of("list.clauses", {waits, Message::plain("...")})}},
      {}};
  CHECK(in_block.english() == "block 0, warp 1: lanes 0-31 wait at bar.sync 0 (line 9); ...");
  CHECK((*zh)(in_block) == "线程块 0 中线程束 1 的 lane 0-31 等在 bar.sync 0（第 9 行）；...");
}

TEST_CASE("Language: follows the locale, LC_ALL first") {
  const Variable all("LC_ALL", nullptr), messages("LC_MESSAGES", nullptr), lang("LANG", nullptr);
  const Root root;
  CHECK(language_of_locale(root.path()) == "en");
  const Variable chinese("LANG", "zh_CN.UTF-8");
  CHECK(language_of_locale(root.path()) == "zh");
  {
    const Variable german("LC_MESSAGES", "de_DE.UTF-8");
    CHECK(language_of_locale(root.path()) == "en");
    root.write("lang/de/language.toml", "name = 'Deutsch'\nhtml = 'de'\n");
    CHECK(language_of_locale(root.path()) == "de");
  }
  const Variable english("LC_ALL", "C.UTF-8");
  CHECK(language_of_locale(root.path()) == "en");
}

TEST_CASE("Language: each folder of lang/ is one, English first") {
  const Root root;
  root.write("lang/af/language.toml", "name = 'Afrikaans'\nhtml = 'af'\nextra_leading = 1\n");
  CHECK(language_codes(root.path()) == std::vector<std::string>{"en", "af", "zh"});
  const auto known = known_languages(root.path());
  REQUIRE(known.size() == 3);
  CHECK(known[1].name == "Afrikaans");
  CHECK(known[1].extra_leading == 1);
  CHECK(known[2].closes_up);
}

TEST_CASE("Numbers: grouped by thousands") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(grouped(std::numeric_limits<std::uint64_t>::max()) == "18,446,744,073,709,551,615");
}

TEST_CASE("Numbers: significant digits, no trailing zeros") {
  CHECK(number(0) == "0");
  CHECK(number(-0.0) == "-0");
  CHECK(number(6) == "6");
  CHECK(number(0.1 + 0.2) == "0.3");
  CHECK(number(1.0 / 3, 3) == "0.333");
  CHECK(number(999999.7) == "1000000");
  CHECK(number(1234567, 3) == "1234567");
  CHECK(number(1e-7) == "1e-7");
  CHECK(number(1.5e20) == "1.5e20");
  CHECK(number(std::numeric_limits<double>::quiet_NaN()) == "nan");
  CHECK(number(-std::numeric_limits<double>::infinity()) == "-inf");
}

TEST_CASE("Durations: three digits in the unit that suits") {
  CHECK(duration(0) == "0 s");
  CHECK(duration(0.0000412) == "41.2 µs");
  CHECK(duration(0.0009999) == "1 ms");
  CHECK(duration(12) == "12 s");
  CHECK(duration(3e-9) == "3 ns");
  CHECK(duration(1e-12) == "0.001 ns");
  CHECK(duration(-0.002) == "-2 ms");
  CHECK(duration(std::numeric_limits<double>::infinity()) == "inf s");
}

TEST_CASE("Figures: a number's hyphens become minus signs, and nothing else's do") {
  CHECK(typeset("-5") == "−5");
  CHECK(typeset("5e-7") == "5e-7");
  CHECK(typeset("-1.25e-7") == "−1.25e-7");
  CHECK(typeset("-inf") == "−inf");
  CHECK(typeset("-0") == "−0");
  CHECK(typeset("3 -8 11, -2") == "3 −8 11, −2");
  for (const char* text : {"2026-11-22", "-O3", "x[-1] = 4", "a-b", "-", "ld.global.f32 -5",
                           "-5 or n", "1e-", "sm_90-5", "--seed 4", ""}) {
    CAPTURE(text);
    CHECK(typeset(text) == text);
  }
  CHECK(figure(-2.5) == "−2.5");
  CHECK(number(-2.5) == "-2.5");
}

TEST_CASE("Strings: figures in a sentence have minus signs, what an error quotes has hyphens") {
  const auto strings = *Strings::load("en", WARPBOOK_SOURCE_DIR);
  CHECK((*strings)("tensor.scale", {{"low", "-3"}, {"high", "4e-5"}}).find("−3") !=
        std::string::npos);
  for (const std::string language : {"en", "zh"}) {
    const auto both = *Strings::load(language, WARPBOOK_SOURCE_DIR);
    const auto refused =
        device::failure(device::ErrorCode::parameter_out_of_range,
                        {{"name", "shift"}, {"value", "-9"}, {"minimum", "-8"}, {"maximum", "8"}});
    const std::string said = (*both)(refused.value());
    CHECK(said.find("-9") != std::string::npos);
    CHECK(said.find("−") == std::string::npos);
  }
}

TEST_CASE("Bytes: binary units") {
  CHECK(byte_count(0) == "0 B");
  CHECK(byte_count(1023) == "1023 B");
  CHECK(byte_count(1536) == "1.5 KiB");
  CHECK(byte_count(1048575) == "1 MiB");
  CHECK(byte_count(std::numeric_limits<std::uint64_t>::max()) == "16 EiB");
}

}  // namespace warpbook::lab::strings_test
