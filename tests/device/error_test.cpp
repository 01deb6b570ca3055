#include "device/error.hpp"

#include <catch2/catch_test_macros.hpp>

#include <set>
#include <string>

namespace warpbook::tests::error_test {

using namespace warpbook::device;

TEST_CASE("Every error has a name of its own and a sentence") {
  std::set<std::string_view> names;
  for (const ErrorCode code : all_error_codes()) {
    CAPTURE(name_of(code));
    CHECK(names.insert(name_of(code)).second);
    const std::string english = Error{code, {}, {}}.message().english();
    CHECK(!english.empty());
    CHECK(english.front() != '<');  // as a key without a sentence shows itself
    CHECK(english.find('\n') == std::string::npos);
  }
  CHECK(names.size() > 40);
}

TEST_CASE("A code's name and sentence are those of its table in lang/en/errors.toml") {
  CHECK(name_of(ErrorCode::out_of_bounds_write) == "out_of_bounds_write");
  CHECK(Error{ErrorCode::cancelled, {}, {}}.message().english() == "cancelled");
  CHECK(name_of(all_error_codes().front()) == "compile_error");
}

TEST_CASE("Arguments take their places in a sentence") {
  CHECK(fill("{a} and {b}", {{"b", "2"}, {"a", "1"}}) == "1 and 2");
  CHECK(fill("{a}{a}", {{"a", "x"}}) == "xx");
}

TEST_CASE("An argument that is a message is said in English, and a list of them joined") {
  const Message thread{"phrase.who.thread", {{"block", 3}, {"thread", 1}}, {}};
  CHECK(thread.english() == "block 3, thread 1");
  CHECK(fill("{who}!", {{"who", thread}}) == "block 3, thread 1!");
  const Message both = Message::list_of("list.clauses", {thread, Message::plain("...")});
  CHECK(fill("{who}", {{"who", both}}) == "block 3, thread 1; ...");
  CHECK(Message{"no.such.key", {}, {}}.english() == "<no.such.key>");
}

TEST_CASE("A key with two forms is said by its count") {
  const auto threads = [](int count) {
    return Message{"count.threads", {{"count", count}}, {}}.english();
  };
  CHECK(threads(1) == "1 thread");
  CHECK(threads(2) == "2 threads");
}

TEST_CASE("What has no argument stays as it stands") {
  CHECK(fill("{a} {missing}", {{"a", "1"}}) == "1 {missing}");
  CHECK(fill("{", {{"", "x"}}) == "{");
  CHECK(fill("a {b", {{"b", "x"}}) == "a {b");
  CHECK(fill("{{a}}", {{"a", "1"}}) == "{1}");
  CHECK(fill("", {}).empty());
}

TEST_CASE("An argument with braces is not filled again") {
  CHECK(fill("{a}", {{"a", "{a}{b}"}, {"b", "no"}}) == "{a}{b}");
}

TEST_CASE("Wording: an error in English is led by its place") {
  const Error error{ErrorCode::trap, {{"thread", "3"}, {"block", "0"}}, {"add.cu", 7, 2}};
  CHECK(error.english() ==
        "add.cu:7:2: the kernel stopped itself (trap), thread 3 of block 0; grid.sync() needs a "
        "cooperative launch (--cooperative), and __trap() is a stop on purpose");
}

TEST_CASE("Wording: an error in English has the singular where it is about one") {
  const auto given = [](const char* count) {
    return Error{ErrorCode::argument_count,
                 {{"kernel", "bump"}, {"count", count}, {"got", "3"}, {"signature", "int*"}},
                 {}}
        .english();
  };
  CHECK(given("1") == "bump takes 1 argument and was given 3; it takes (int*)");
  CHECK(given("2") == "bump takes 2 arguments and was given 3; it takes (int*)");
}

TEST_CASE("An error in English leaves out what of its place is unknown") {
  CHECK(Error{ErrorCode::cancelled, {}, {"add.cu", 7, 0}}.english() == "add.cu:7: cancelled");
  CHECK(Error{ErrorCode::cancelled, {}, {"add.cu", 0, 5}}.english() == "add.cu: cancelled");
  CHECK(Error{ErrorCode::cancelled, {}, {}}.english() == "cancelled");
}

TEST_CASE("An error in English is one line whatever its arguments hold") {
  const Error error{ErrorCode::bad_define, {{"define", "A=1\n\x1b[2J"}, {"why", "x\ry"}}, {}};
  const std::string text = error.english();
  for (const char c : text) CHECK(static_cast<unsigned char>(c) >= 0x20);
}

}  // namespace warpbook::tests::error_test
