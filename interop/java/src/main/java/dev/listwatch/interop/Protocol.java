package dev.listwatch.interop;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.Map;

/** The protocol of interop/README.md for programs in Java. */
final class Protocol {
  static final String NAMESPACE = System.getenv("INTEROP_NAMESPACE");
  private static final PrintStream OUT = System.out;

  private Protocol() {}

  /** A command that the client has no API for. */
  static final class NotOffered extends Exception {
    NotOffered(String reason) {
      super(reason);
    }
  }

  interface Handler {
    /** Prints what comes before `ok`. */
    void handle(String command, String first, String second) throws Exception;
  }

  /** Answers each line of the standard input, until `end`. */
  static void answerCommands(Handler handler) throws Exception {
    // Libraries that print would break the protocol.
    System.setOut(System.err);
    var lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ");
      try {
        handler.handle(words[0], words.length > 1 ? words[1] : "", words.length > 2 ? words[2] : "");
        say("ok");
      } catch (NotOffered reason) {
        say("not-offered " + reason.getMessage());
      } catch (Exception error) {
        error.printStackTrace();
        say("failed " + error.toString().replace('\n', ' '));
      }
      if (words[0].equals("end")) {
        System.exit(0);
      }
    }
  }

  static void say(String line) {
    OUT.println(line);
    OUT.flush();
  }

  static void entry(String key, String value) {
    say("= " + key + " " + value);
  }

  static void entries(Map<String, String> versions) {
    versions.forEach(Protocol::entry);
  }

  /** The version of a library by its jar on the class path, such as client-java-27.0.0.jar. */
  static String versionOf(Class<?> type) {
    String jar = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    return jar.replaceAll(".*-([0-9][^/]*)\\.jar$", "$1");
  }
}
