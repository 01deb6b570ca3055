// A picture is pasted by another program on a private X server.
#include "gui/draw/image_clipboard.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::gui::image_clipboard_test {
namespace {
/// An X server of the test's own, for as long as it is needed; DISPLAY names it.
class Server {
 public:
  Server() {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    child_ = ::fork();
    if (child_ == 0) {
      const std::string number = std::to_string(ends[1]);
      ::execlp("Xvfb", "Xvfb", "-displayfd", number.c_str(), "-noreset", "-screen", "0", "64x64x24",
               "-nolisten", "tcp", nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    pollfd readable{ends[0], POLLIN, 0};
    std::string number;
    char c = 0;
    while (::poll(&readable, 1, 20'000) == 1 && ::read(ends[0], &c, 1) == 1 && c != '\n')
      number += c;
    ::close(ends[0]);
    REQUIRE_FALSE(number.empty());
    ::setenv("DISPLAY", (":" + number).c_str(), 1);
  }
  ~Server() {
    ::kill(child_, SIGTERM);
    ::waitpid(child_, nullptr, 0);
    ::unsetenv("DISPLAY");
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

 private:
  pid_t child_ = -1;
};

struct Free {
  void operator()(void* reply) const { std::free(reply); }
};
template <class T>
using Reply = std::unique_ptr<T, Free>;

/// What a program that asks for `target` is given; "refused" where nothing is.
std::string pasted(const std::string& target) {
  xcb_connection_t* connection = xcb_connect(nullptr, nullptr);
  const auto atom = [&](const std::string& name) {
    const Reply<xcb_intern_atom_reply_t> reply(xcb_intern_atom_reply(
        connection,
        xcb_intern_atom(connection, 0, static_cast<std::uint16_t>(name.size()), name.c_str()),
        nullptr));
    return reply->atom;
  };
  const xcb_window_t window = xcb_generate_id(connection);
  xcb_create_window(connection, 0, window,
                    xcb_setup_roots_iterator(xcb_get_setup(connection)).data->root, 0, 0, 1, 1, 0,
                    XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, nullptr);
  const xcb_atom_t property = atom("PASTED");
  xcb_convert_selection(connection, window, atom("CLIPBOARD"), atom(target), property,
                        XCB_CURRENT_TIME);
  xcb_flush(connection);
  std::string got = "no answer";
  pollfd readable{xcb_get_file_descriptor(connection), POLLIN, 0};
  for (int tries = 0; tries < 100 && got == "no answer"; ++tries) {
    ::poll(&readable, 1, 100);
    while (const Reply<xcb_generic_event_t> event{xcb_poll_for_event(connection)}) {
      if ((event->response_type & 0x7f) != XCB_SELECTION_NOTIFY) continue;
      if (reinterpret_cast<const xcb_selection_notify_event_t*>(event.get())->property ==
          XCB_ATOM_NONE) {
        got = "refused";
        break;
      }
      const Reply<xcb_get_property_reply_t> value(xcb_get_property_reply(
          connection,
          xcb_get_property(connection, 0, window, property, XCB_GET_PROPERTY_TYPE_ANY, 0, 1u << 22),
          nullptr));
      got.assign(static_cast<const char*>(xcb_get_property_value(value.get())),
                 static_cast<std::size_t>(xcb_get_property_value_length(value.get())));
    }
  }
  xcb_disconnect(connection);
  return got;
}
}  // namespace

TEST_CASE("a copied picture is what another program pastes, until the next one is copied", "[ci]") {
  const Server server;
  ImageClipboard clipboard;
  std::string large(700'000, '\0');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 31);
  REQUIRE(clipboard.offer(large).empty());
  CHECK((pasted("image/png") == large));
  CHECK(pasted("TARGETS").size() == 8);
  CHECK(pasted("text/plain") == "refused");
  REQUIRE(clipboard.offer("a second one").empty());
  CHECK(pasted("image/png") == "a second one");
}

TEST_CASE("where there is no X server, a picture is not copied, and that is said") {
  ::setenv("DISPLAY", ":987", 1);
  ImageClipboard clipboard;
  CHECK(clipboard.offer("a picture") == "no X server");
  ::unsetenv("DISPLAY");
}

}  // namespace warpbook::gui::image_clipboard_test
